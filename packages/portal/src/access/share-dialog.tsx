import { Button, Group, Stack } from '@mantine/core';
import { useState } from 'react';
import { t } from 'i18next';
import { CopyField } from '../components/copy-field.js';
import { notifyDone, notifyFailure } from '../components/notify.js';
import { OnceDialog } from '../components/once-dialog.js';
import { unsent } from '../pages/invitations/invitation-texts.js';
import { ShareForm } from './share-form.js';
import type { Target } from './use-grants.js';
import type { Link, Shared } from './use-share.js';

interface Props {
  title: string;
  target: Target;
  /** The workspace, or that of the report. */
  workspaceId: string;
  onClose: () => void;
}

const Links = ({ links, onDone }: { links: readonly Link[]; onDone: () => void }) => (
  <Stack>
    {links.map(({ email, link }) => (
      <CopyField
        key={email}
        label={t('Invitation link for {{email}}', { email })}
        description={t(
          "No mail server is configured. Share this link with the user. It can be used once, is valid for 72 hours and won't be shown again.",
        )}
        value={link}
      />
    ))}
    <Group justify="flex-end">
      <Button onClick={onDone}>{t('Done')}</Button>
    </Group>
  </Stack>
);

const notifyShared = ({ done, unchanged, hasUnsent }: Shared): void => {
  if (done.length === 1) notifyDone(t('Access granted to {{name}}.', { name: done[0]?.name }));
  if (done.length > 1) notifyDone(t('Access granted to {{count}} recipients.', { count: done.length }));
  if (hasUnsent) notifyFailure(t(unsent));
  if (unchanged.length === 0) return;
  const names = unchanged.map(({ name }) => name).join(', ');
  notifyDone(t('{{names}} already had this access. No email was sent.', { names }));
};

/** Gives people and groups access to a workspace or a report, and invites those without an account. */
export function ShareDialog({ title, target, workspaceId, onClose }: Props) {
  const [links, setLinks] = useState<readonly Link[]>([]);
  const [isDone, setIsDone] = useState(false);
  // Also if those that failed are given up: the links are not shown again.
  const leave = () => (links.length > 0 ? setIsDone(true) : onClose());
  return (
    <OnceDialog
      title={title}
      once={links.length > 0 ? 'link' : undefined}
      isShown={isDone}
      centered
      onClose={isDone ? onClose : leave}
    >
      {(close, cancel) =>
        isDone ? (
          <Links links={links} onDone={close} />
        ) : (
          <ShareForm
            target={target}
            workspaceId={workspaceId}
            onShared={(shared) => {
              notifyShared(shared);
              const all = [...links, ...shared.links];
              setLinks(all);
              if (shared.failed.length > 0) return;
              if (all.length === 0) close();
              else setIsDone(true);
            }}
            onClose={cancel}
          />
        )
      }
    </OnceDialog>
  );
}
