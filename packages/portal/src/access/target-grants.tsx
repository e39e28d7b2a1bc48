import { Group } from '@mantine/core';
import { type ReactNode, useCallback, useState } from 'react';
import { t } from 'i18next';
import { api } from '../api/client.js';
import { useList } from '../api/use-list.js';
import { ListView } from '../components/list-view.js';
import { SearchField } from '../components/search-field.js';
import { Empty } from '../components/states.js';
import { useParameter } from '../components/use-parameter.js';
import { isAdmin, useMe } from '../session/use-session.js';
import { GrantDialog } from './grant-dialog.js';
import { RemoveGrant } from './remove-grant.js';
import { type TargetGrant, TargetGrantsTable } from './target-grants-table.js';
import type { Target } from './use-grants.js';

interface Props {
  target: Target;
  targetName: string;
  /** The buttons beside the search field. */
  actions: ReactNode;
  /** Shown if there is no grant. */
  empty: ReactNode;
}

const pageOf = ({ type, id }: Target, query: { q?: string; cursor?: string }, signal: AbortSignal) => {
  const params = { path: { id }, query: { ...query, sort: 'name', limit: 50, count: true } } as const;
  return type === 'workspace'
    ? api.GET('/api/workspaces/{id}/grants', { params, signal })
    : api.GET('/api/reports/{id}/grants', { params, signal });
};

interface Action {
  type: 'change' | 'remove';
  grant: TargetGrant;
}

interface DialogProps extends Pick<Props, 'target' | 'targetName'> {
  action: Action;
  onClose: () => void;
}

function ActionDialog({ action: { type, grant }, target, targetName, onClose }: DialogProps) {
  const { data: me } = useMe();
  const { holder } = grant;
  const place = { holder, target };
  if (type === 'change') {
    return (
      <GrantDialog
        title={t('Access of {{name}} to {{target}}', { name: holder.name, target: targetName })}
        {...{ place, grant, onClose }}
      />
    );
  }
  const isOwn = holder.id === me?.id && !isAdmin(me);
  return <RemoveGrant holderName={holder.name} {...{ place, targetName, isOwn, onClose }} />;
}

/** The grants of people and groups on a workspace or a report, for its managers. */
export function TargetGrants({ target, targetName, actions, empty }: Props) {
  const [action, setAction] = useState<Action>();
  const change = useCallback((grant: TargetGrant) => setAction({ type: 'change', grant }), []);
  const remove = useCallback((grant: TargetGrant) => setAction({ type: 'remove', grant }), []);
  const q = useParameter('member')[0] ?? undefined;
  const list = useList(
    [`${target.type}s`, target.id, 'grants', q],
    (cursor, signal) => pageOf(target, { q, cursor }, signal),
    ({ grants }) => grants,
  );
  return (
    <>
      <Group justify="space-between" mb="md">
        <SearchField label={t('Search members')} parameter="member" />
        <Group gap="sm">{actions}</Group>
      </Group>
      <ListView
        list={list}
        empty={q === undefined ? empty : <Empty title={t('No members match your search')} />}
      >
        {(grants) => <TargetGrantsTable grants={grants} onChange={change} onRemove={remove} />}
      </ListView>
      {action !== undefined && (
        <ActionDialog {...{ action, target, targetName }} onClose={() => setAction(undefined)} />
      )}
    </>
  );
}
