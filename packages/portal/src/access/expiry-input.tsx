import { TextInput } from '@mantine/core';
import { t } from 'i18next';
import type { ReactNode } from 'react';
import { dayOf } from './expiry.js';

interface Props {
  label?: string;
  /** `2027-01-31`, or '' for a grant that does not expire. */
  value?: string;
  onChange: (day: string) => void;
  description?: ReactNode;
  error?: ReactNode;
}

/** The last day of a grant, in the service's time zone. The browser's own date field uses the reader's format. */
export const ExpiryInput = ({ label = t('Expires (optional)'), onChange, ...props }: Props) => (
  <TextInput
    {...props}
    label={label}
    type="date"
    min={dayOf(new Date().toISOString())}
    onChange={(event) => onChange(event.currentTarget.value)}
  />
);
