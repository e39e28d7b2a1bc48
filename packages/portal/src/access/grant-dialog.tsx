import { Button, Group, Modal, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { ReactNode } from 'react';
import { ProblemError } from '../api/problem.js';
import { notifyDone } from '../components/notify.js';
import { ProblemAlert } from '../components/states.js';
import { dayOf, endAfter } from './ends.js';
import { EndsInput } from './ends-input.js';
import { WorkspaceRoleSelect } from './role-select.js';
import type { WorkspaceRole } from './roles.js';
import { type Place, useSetGrant } from './use-grants.js';

interface Props {
  title: string;
  /** Undefined as long as it is not chosen. */
  place: Partial<Place>;
  grant?: { role: WorkspaceRole; expires_at: string | null };
  onClose: () => void;
  /** Where what is missing of the place is chosen. */
  children?: ReactNode;
}

/** Gives access to a workspace, or changes it. */
export function GrantDialog({ title, place: { userId, workspaceId }, grant, onClose, children }: Props) {
  const form = useForm({
    initialValues: { role: grant?.role ?? 'viewer', ends: dayOf(grant?.expires_at) },
  });
  const give = useSetGrant();
  const isReady = userId !== undefined && workspaceId !== undefined;
  const submit = form.onSubmit(({ role, ends }) => {
    if (!isReady) return;
    give.mutate(
      { userId, workspaceId, role, ends: endAfter(ends, grant?.expires_at) },
      {
        onSuccess: ({ name }) => {
          notifyDone(grant === undefined ? `${name} has access now.` : `The access of ${name} was changed.`);
          onClose();
        },
      },
    );
  });
  const ofEnds = give.error instanceof ProblemError ? give.error.of('expires_at') : undefined;
  return (
    <Modal opened onClose={onClose} title={title} centered closeButtonProps={{ 'aria-label': 'Close' }}>
      <form onSubmit={submit}>
        <Stack>
          {give.error !== null && ofEnds === undefined && <ProblemAlert error={give.error} />}
          {children}
          <WorkspaceRoleSelect label="Role" {...form.getInputProps('role')} />
          <EndsInput {...form.getInputProps('ends')} error={ofEnds} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" disabled={!isReady} loading={give.isPending}>
              {grant === undefined ? 'Give access' : 'Save'}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
