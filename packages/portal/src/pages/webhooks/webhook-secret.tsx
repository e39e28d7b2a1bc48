import { Alert, Button, Group, Stack } from '@mantine/core';
import { t } from 'i18next';
import { CopyField } from '../../components/copy-field.js';

interface Props {
  secret: string;
  /** What follows from the new secret. */
  hint?: string;
  onDone: () => void;
}

/** A signing secret, which is shown once. */
export const WebhookSecret = ({ secret, hint, onDone }: Props) => (
  <Stack>
    <Alert color="orange" variant="light" title={t('Copy the secret now')} role="status">
      {t("You won't be able to see it again. Store it in a safe place, such as a secret manager.")} {hint}
    </Alert>
    <CopyField
      label={t('Signing secret')}
      description={t('The receiver verifies the signature of each request with it (Standard Webhooks).')}
      value={secret}
    />
    <Group justify="flex-end">
      <Button onClick={onDone}>{t('Done')}</Button>
    </Group>
  </Stack>
);
