import { useState } from 'react';
import { t } from 'i18next';
import { OnceDialog } from '../../components/once-dialog.js';
import { InviteForm } from './invite-form.js';
import { InvitedView } from './invited-view.js';
import type { Invited, NewInvitation } from './use-invitations.js';

interface Props {
  /** Preselected workspace. */
  workspaceId?: string;
  onClose: () => void;
}

/** Invites one user and shows the result. */
export function InviteDialog({ workspaceId, onClose }: Props) {
  const [invited, setInvited] = useState<{ invited: Invited; requested: NewInvitation }>();
  return (
    <OnceDialog
      title={t('Invite user')}
      once={invited?.invited.invitation.accept_url && 'link'}
      onClose={onClose}
    >
      {(done, cancel) =>
        invited === undefined ? (
          <InviteForm
            workspaceId={workspaceId}
            onInvited={(result, requested) => setInvited({ invited: result, requested })}
            onClose={cancel}
          />
        ) : (
          <InvitedView {...invited} onAnother={() => setInvited(undefined)} onClose={done} />
        )
      }
    </OnceDialog>
  );
}
