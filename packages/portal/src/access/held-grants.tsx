import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { t } from 'i18next';
import { api } from '../api/client.js';
import type { components } from '../api/schema.js';
import { useList } from '../api/use-list.js';
import { ListView } from '../components/list-view.js';
import { Section } from '../components/section.js';
import { WorkspacePicker } from '../components/workspace-picker.js';
import { GrantDialog } from './grant-dialog.js';
import { GrantsTable } from './grants-table.js';
import type { HolderRef } from './holder.js';
import { RemoveGrant } from './remove-grant.js';
import type { Place } from './use-grants.js';

export type Grant = components['schemas']['GrantDto'];

export interface NamedHolder extends HolderRef {
  name: string;
}

interface GrantWorkspaceProps {
  holder: NamedHolder;
  workspaceId?: string;
  onClose: () => void;
}

export function GrantWorkspace({ holder, workspaceId: suggested, onClose }: GrantWorkspaceProps) {
  const [workspaceId, setWorkspaceId] = useState(suggested ?? null);
  const place: Partial<Place> = {
    holder,
    target: workspaceId === null ? undefined : { type: 'workspace', id: workspaceId },
  };
  return (
    <GrantDialog title={t('Grant access to {{name}}', { name: holder.name })} place={place} onClose={onClose}>
      <WorkspacePicker
        label={t('Workspace')}
        required
        data-autofocus
        value={workspaceId}
        onChange={setWorkspaceId}
      />
    </GrantDialog>
  );
}

type Action = { type: 'add' } | { type: 'change' | 'remove'; grant: Grant };

const targetOf = ({ workspace_id, report_id }: Grant): Place['target'] =>
  report_id === null ? { type: 'workspace', id: workspace_id } : { type: 'report', id: report_id };

interface DialogsProps {
  holder: NamedHolder;
  action?: Action;
  onClose: () => void;
}

function Dialogs({ holder, action, onClose }: DialogsProps) {
  if (action === undefined) return null;
  if (action.type === 'add') return <GrantWorkspace holder={holder} onClose={onClose} />;
  const { grant } = action;
  const place = { holder, target: targetOf(grant) };
  const targetName = grant.report_name ?? grant.workspace_name;
  return action.type === 'change' ? (
    <GrantDialog
      title={t('Access of {{name}} to {{target}}', { name: holder.name, target: targetName })}
      {...{ place, grant, onClose }}
    />
  ) : (
    <RemoveGrant holderName={holder.name} {...{ place, targetName, onClose }} />
  );
}

const pageOf = ({ type, id }: HolderRef, cursor: string | undefined, signal: AbortSignal) => {
  const params = { path: { id }, query: { cursor, limit: 50 } };
  return type === 'user'
    ? api.GET('/api/users/{id}/grants', { params, signal })
    : api.GET('/api/groups/{id}/grants', { params, signal });
};

/** The grants of a person, a service account or a group, for admins. */
export function HeldGrants({ holder, lead }: { holder: NamedHolder; lead?: string }) {
  const [action, setAction] = useState<Action>();
  const list = useList(
    [`${holder.type}s`, 'grants', holder.id],
    (cursor, signal) => pageOf(holder, cursor, signal),
    ({ grants }) => grants,
  );
  return (
    <Section title={t('Access')} lead={lead}>
      <ListView
        list={list}
        empty={
          <Text size="sm" c="dimmed">
            {t('No access granted')}
          </Text>
        }
      >
        {(grants) => (
          <GrantsTable
            grants={grants}
            onChange={(grant) => setAction({ type: 'change', grant })}
            onRemove={(grant) => setAction({ type: 'remove', grant })}
          />
        )}
      </ListView>
      <Group>
        <Button variant="default" onClick={() => setAction({ type: 'add' })}>
          {t('Grant workspace access')}
        </Button>
      </Group>
      <Dialogs holder={holder} action={action} onClose={() => setAction(undefined)} />
    </Section>
  );
}

/** A person or a service account. */
export interface Account {
  id: string;
  name: string;
  role: 'admin' | 'member';
}

export const UserGrants = ({ user: { id, name, role } }: { user: Account }) => (
  <HeldGrants
    holder={{ type: 'user', id, name }}
    lead={role === 'admin' ? t('Administrators have access to all workspaces.') : undefined}
  />
);
