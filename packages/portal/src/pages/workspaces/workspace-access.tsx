import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { ShareDialog } from '../../access/share-dialog.js';
import { TargetGrants } from '../../access/target-grants.js';
import { useWorkspace } from '../../api/use-workspace.js';
import { Empty } from '../../components/states.js';
import { InviteDialog } from '../invitations/invite-dialog.js';

/** Who has access to a workspace, for its managers and for admins. */
export function WorkspaceAccess({ workspaceId }: { workspaceId: string }) {
  const { t } = useTranslation();
  const [dialog, setDialog] = useState<'add' | 'invite'>();
  const name = useWorkspace(workspaceId).data?.name ?? '';
  const target = { type: 'workspace', id: workspaceId } as const;
  const onClose = () => setDialog(undefined);
  return (
    <>
      <TargetGrants
        target={target}
        targetName={name}
        empty={
          <Empty title={t('This workspace has no members yet')}>{t('Only administrators can see it.')}</Empty>
        }
        actions={
          <>
            <Button component={Link} variant="default" to={`/access-review?workspace=${workspaceId}`}>
              {t('Review access')}
            </Button>
            <Button variant="default" onClick={() => setDialog('invite')}>
              {t('Invite user')}
            </Button>
            <Button onClick={() => setDialog('add')}>{t('Add member')}</Button>
          </>
        }
      />
      {dialog === 'add' && (
        <ShareDialog title={t('Add member to {{name}}', { name })} {...{ target, workspaceId, onClose }} />
      )}
      {dialog === 'invite' && <InviteDialog workspaceId={workspaceId} onClose={onClose} />}
    </>
  );
}
