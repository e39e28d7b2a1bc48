import { Button, Group, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { ReactNode } from 'react';
import { t } from 'i18next';
import { ProblemError } from '../api/problem.js';
import { Dialog } from '../components/dialog.js';
import { notifyDone } from '../components/notify.js';
import { ProblemAlert } from '../components/states.js';
import { changedExpiry, dayOf } from './expiry.js';
import { ExpiryInput } from './expiry-input.js';
import { TargetRoleSelect } from './role-select.js';
import type { WorkspaceRole } from './roles.js';
import { type Place, useSetGrant } from './use-grants.js';

interface Props {
  title: string;
  /** Parts that are not selected yet are undefined. */
  place: Partial<Place>;
  grant?: { role: WorkspaceRole; expires_at: string | null };
  onClose: () => void;
  /** The pickers for the missing parts of the place. */
  children?: ReactNode;
}

/** Grants access to a workspace or a report, or changes a grant. */
export function GrantDialog({ title, place: { holder, target }, grant, onClose, children }: Props) {
  const form = useForm({
    initialValues: { role: grant?.role ?? 'viewer', expires: dayOf(grant?.expires_at) },
  });
  const set = useSetGrant();
  const isReady = holder !== undefined && target !== undefined;
  const submit = form.onSubmit(({ role, expires }) => {
    if (!isReady) return;
    const expiresAt = changedExpiry(expires, grant?.expires_at);
    set.mutate(
      { holder, target, role, expiresAt },
      {
        onSuccess: (saved) => {
          const { name } = saved.holder;
          notifyDone(
            grant === undefined
              ? t('Access granted to {{name}}.', { name })
              : t('Access of {{name}} updated.', { name }),
          );
          onClose();
        },
      },
    );
  });
  const expiryError = set.error instanceof ProblemError ? set.error.of('expires_at') : undefined;
  return (
    <Dialog onClose={onClose} title={title}>
      <form onSubmit={submit}>
        <Stack>
          {set.error !== null && expiryError === undefined && <ProblemAlert error={set.error} />}
          {children}
          <TargetRoleSelect
            target={target?.type}
            label={t('Role')}
            data-autofocus={children === undefined || undefined}
            {...form.getInputProps('role')}
          />
          <ExpiryInput {...form.getInputProps('expires')} error={expiryError} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('Cancel')}
            </Button>
            <Button type="submit" disabled={!isReady} loading={set.isPending}>
              {grant === undefined ? t('Grant access') : t('Save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
