import { TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { dayOf } from './ends.js';

interface Props {
  label?: string;
  /** `2027-01-31`, or '' for no end. */
  value?: string;
  onChange: (day: string) => void;
  description?: ReactNode;
  error?: ReactNode;
}

/** Until when access lasts, that day included. The browser's own field: it knows the reader's way of writing dates. */
export const EndsInput = ({ label = 'Ends (optional)', onChange, ...props }: Props) => (
  <TextInput
    {...props}
    label={label}
    type="date"
    min={dayOf(new Date().toISOString())}
    onChange={(event) => onChange(event.currentTarget.value)}
  />
);
