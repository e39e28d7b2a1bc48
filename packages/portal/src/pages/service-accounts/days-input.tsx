import { NumberInput } from '@mantine/core';
import type { ReactNode } from 'react';

/** As the service says: `src/service-accounts/dto/create-service-account.dto.ts`. */
export const MAX_DAYS = 365;

interface Props {
  value?: number | string;
  onChange: (days: number | string) => void;
  error?: ReactNode;
}

export const DaysInput = (props: Props) => (
  <NumberInput
    label="Days until the secret ends"
    min={1}
    max={MAX_DAYS}
    allowDecimal={false}
    clampBehavior="strict"
    required
    {...props}
  />
);
