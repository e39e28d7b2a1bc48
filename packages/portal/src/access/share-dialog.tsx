import { type ReactNode, useState } from 'react';
import { GrantDialog } from './grant-dialog.js';
import type { HolderRef } from './holder.js';
import { HolderPicker } from './holder-picker.js';
import type { Target } from './use-grants.js';

interface Props {
  title: string;
  target: Target;
  /** The workspace, or that of the report. */
  workspaceId: string;
  onClose: () => void;
  children?: ReactNode;
}

/** Grants people and groups access to a workspace or a report. */
export function ShareDialog({ title, target, workspaceId, onClose, children }: Props) {
  const [holder, setHolder] = useState<HolderRef>();
  return (
    <GrantDialog title={title} place={{ holder, target }} onClose={onClose}>
      {children}
      <HolderPicker workspaceId={workspaceId} required data-autofocus value={holder} onChange={setHolder} />
    </GrantDialog>
  );
}
