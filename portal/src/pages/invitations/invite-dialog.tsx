import { Modal } from '@mantine/core';
import { useState } from 'react';
import { InviteForm } from './invite-form.js';
import { InvitedView } from './invited-view.js';
import type { Invited, NewInvitation } from './use-invitations.js';

interface Props {
  /** Chosen from the start. */
  workspaceId?: string;
  onClose: () => void;
}

/** Invites one person, and says what came of it. */
export function InviteDialog({ workspaceId, onClose }: Props) {
  const [done, setDone] = useState<{ invited: Invited; asked: NewInvitation }>();
  return (
    <Modal
      opened
      onClose={onClose}
      title="Invite somebody"
      size="lg"
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {done === undefined ? (
        <InviteForm
          workspaceId={workspaceId}
          onInvited={(invited, asked) => setDone({ invited, asked })}
          onClose={onClose}
        />
      ) : (
        <InvitedView {...done} onAnother={() => setDone(undefined)} onClose={onClose} />
      )}
    </Modal>
  );
}
