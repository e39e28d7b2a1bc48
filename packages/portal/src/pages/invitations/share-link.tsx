import { Button, Group, Stack } from '@mantine/core';
import { t } from 'i18next';
import { CopyField } from '../../components/copy-field.js';
import { OnceDialog } from '../../components/once-dialog.js';

interface Props {
  email: string;
  link: string;
  onClose: () => void;
}

export const InvitationLink = ({ link }: Pick<Props, 'link'>) => (
  <CopyField
    label={t('Invitation link')}
    description={t(
      "No mail server is configured. Share this link with the user. It can be used once, is valid for 72 hours and won't be shown again.",
    )}
    value={link}
  />
);

/** The link of an invitation that is not sent by email. */
export const ShareLink = ({ email, link, onClose }: Props) => (
  <OnceDialog title={t('New link for {{email}}', { email })} once="link" centered onClose={onClose}>
    {(done) => (
      <Stack>
        <InvitationLink link={link} />
        <Group justify="flex-end">
          <Button onClick={done}>{t('Done')}</Button>
        </Group>
      </Stack>
    )}
  </OnceDialog>
);
