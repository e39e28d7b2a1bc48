import { Alert, Button, Group, Stack } from '@mantine/core';
import { t } from 'i18next';
import { CopyField } from '../../components/copy-field.js';

interface Props {
  clientId: string;
  secret: string;
  onDone: () => void;
}

/** A secret is shown only once, after it was created. */
export const SecretShown = ({ clientId, secret, onDone }: Props) => (
  <Stack>
    <Alert color="orange" variant="light" title={t('Copy the secret now')} role="status">
      {t("You won't be able to see it again. Store it in a safe place, such as a secret manager.")}
    </Alert>
    <CopyField label={t('Client ID')} value={clientId} />
    <CopyField label={t('Client secret')} value={secret} />
    <Group justify="flex-end">
      <Button onClick={onDone}>{t('Done')}</Button>
    </Group>
  </Stack>
);
