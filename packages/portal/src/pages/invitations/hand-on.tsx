import { Button, Group, Stack } from '@mantine/core';
import { CopyField } from '../../components/copy-field.js';
import { OnceDialog } from '../../components/once-dialog.js';

interface Props {
  email: string;
  link: string;
  onClose: () => void;
}

const says =
  'No mail server is configured: hand this link on yourself. It works once, for 72 hours, and is shown only now.';

export const AcceptLink = ({ link }: Pick<Props, 'link'>) => (
  <CopyField label="Link to accept the invitation" description={says} value={link} />
);

/** The link of an invitation, where no mail carries it. */
export const HandOn = ({ email, link, onClose }: Props) => (
  <OnceDialog title={`A new link for ${email}`} once="link" centered onClose={onClose}>
    {(done) => (
      <Stack>
        <AcceptLink link={link} />
        <Group justify="flex-end">
          <Button onClick={done}>Done</Button>
        </Group>
      </Stack>
    )}
  </OnceDialog>
);
