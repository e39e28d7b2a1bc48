import { NumberInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from 'i18next';

/** The limit of the API: `src/auth/service-accounts/dto/service-account.dto.ts`. */
export const MAX_DAYS = 365;

interface Props {
  value?: number | string;
  onChange: (days: number | string) => void;
  error?: ReactNode;
}

export const DaysInput = (props: Props) => (
  <NumberInput
    label={t('Expires in (days)')}
    min={1}
    max={MAX_DAYS}
    allowDecimal={false}
    clampBehavior="strict"
    required
    {...props}
  />
);
