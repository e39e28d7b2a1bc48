import { useState } from 'react';
import { GrantDialog } from '../../access/grant-dialog.js';
import { UserPicker } from '../../components/user-picker.js';

interface Props {
  workspaceId: string;
  onClose: () => void;
}

/** For admins, who know everybody; managers invite by mail. */
export function AddMember({ workspaceId, onClose }: Props) {
  const [userId, setUserId] = useState<string | null>(null);
  return (
    <GrantDialog title="Add somebody" place={{ workspaceId, userId: userId ?? undefined }} onClose={onClose}>
      <UserPicker label="Person or service account" programs required value={userId} onChange={setUserId} />
    </GrantDialog>
  );
}
