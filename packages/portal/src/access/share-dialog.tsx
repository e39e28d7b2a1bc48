import { Button, Group, Stack } from '@mantine/core';
import { useState } from 'react';
import { t } from 'i18next';
import { CopyField } from '../components/copy-field.js';
import { notifyDone } from '../components/notify.js';
import { OnceDialog } from '../components/once-dialog.js';
import type { Choice } from '../api/sources.js';
import { ShareForm } from './share-form.js';
import type { Target } from './use-grants.js';

interface Props {
  title: string;
  target: Target;
  /** The workspace, or that of the report. */
  workspaceId: string;
  onClose: () => void;
}

interface Link {
  email: string;
  link: string;
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

const tell = (done: readonly Choice[]): void => {
  if (done.length === 1) notifyDone(t('Access granted to {{name}}.', { name: done[0]?.name }));
  if (done.length > 1) notifyDone(t('Access granted to {{count}} recipients.', { count: done.length }));
};

/** Gives people and groups access to a workspace or a report, and invites those without an account. */
export function ShareDialog({ title, target, workspaceId, onClose }: Props) {
  const [links, setLinks] = useState<readonly Link[]>([]);
  const [isDone, setIsDone] = useState(false);
  return (
    <OnceDialog title={title} once={links.length > 0 ? 'link' : undefined} centered onClose={onClose}>
      {(close) =>
        isDone ? (
          <Links links={links} onDone={close} />
        ) : (
          <ShareForm
            target={target}
            workspaceId={workspaceId}
            onShared={({ done, failed, links: added }) => {
              tell(done);
              const all = [...links, ...added];
              setLinks(all);
              if (failed.length > 0) return;
              if (all.length === 0) close();
              else setIsDone(true);
            }}
            onClose={onClose}
          />
        )
      }
    </OnceDialog>
  );
}
