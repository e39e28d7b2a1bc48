import { Alert, Button, Group, Stack } from '@mantine/core';
import { CopyField } from '../../components/copy-field.js';

interface Props {
  clientId: string;
  secret: string;
  onDone: () => void;
}

/** The one time that a secret is seen. */
export const SecretShown = ({ clientId, secret, onDone }: Props) => (
  <Stack>
    <Alert color="orange" variant="light" title="Copy the secret now" role="status">
      It is shown only this once. Keep it where the program finds it, and nowhere else.
    </Alert>
    <CopyField label="Client id" value={clientId} />
    <CopyField label="Client secret" value={secret} />
    <Group justify="flex-end">
      <Button onClick={onDone}>I have it</Button>
    </Group>
  </Stack>
);
