import { Alert, Button, Group as Row, SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { t } from 'i18next';
import { api } from '../../api/client.js';
import { useList } from '../../api/use-list.js';
import { Confirm } from '../../components/confirm.js';
import { ListView } from '../../components/list-view.js';
import { notifyDone } from '../../components/notify.js';
import { SearchField } from '../../components/search-field.js';
import { Empty } from '../../components/states.js';
import { useParameter, useParameters } from '../../components/use-parameter.js';
import { msg } from '../../i18n/index.js';
import { AddMembers } from './add-members.js';
import { MembersTable } from './members-table.js';
import { type Group, type GroupMember, useRemoveMember } from './use-groups.js';

interface RemoveProps {
  group: Group;
  member: GroupMember;
  onClose: () => void;
}

function RemoveMember({ group, member, onClose }: RemoveProps) {
  const remove = useRemoveMember(group.id);
  const confirm = () =>
    remove.mutate(member, {
      onSuccess: () => {
        notifyDone(t('Removed {{name}} from {{target}}.', { name: member.name, target: group.name }));
        onClose();
      },
    });
  return (
    <Confirm
      title={t('Remove {{name}} from {{target}}?', { name: member.name, target: group.name })}
      action={t('Remove')}
      opened
      change={remove}
      onConfirm={confirm}
      onClose={onClose}
    >
      {member.type === 'user'
        ? t('The user loses access that only this group, or a group that contains it, grants.')
        : t('Its members lose access that only this group, or a group that contains it, grants.')}
    </Confirm>
  );
}

function EmptyMembers({ q, isEffective }: { q: string | undefined; isEffective: boolean }) {
  if (q !== undefined) return <Empty title={t('No members match your search')} />;
  return (
    <Empty title={t('This group has no members yet')}>
      {isEffective
        ? t('There are no direct members, and none through other groups.')
        : t('Add users, service accounts or other groups.')}
    </Empty>
  );
}

const views = [
  { value: 'direct', label: msg('Direct members') },
  { value: 'effective', label: msg('All members') },
];

/** The direct members of a group, or all people in it with the groups in between. */
export function GroupMembers({ group }: { group: Group }) {
  const [isAdding, setIsAdding] = useState(false);
  const [removed, setRemoved] = useState<GroupMember>();
  const [parameters, change] = useParameters();
  const q = useParameter('member')[0] ?? undefined;
  const effective = parameters.get('view') === 'effective';
  const list = useList(
    ['groups', group.id, 'members', effective, q],
    (cursor, signal) =>
      api.GET('/api/groups/{id}/members', {
        params: { path: { id: group.id }, query: { effective, q, cursor, sort: 'name', limit: 50 } },
        signal,
      }),
    ({ members }) => members,
  );
  const isManual = group.source === 'manual';
  return (
    <>
      {!isManual && (
        <Alert color="blue" variant="light" title={t('Managed by your identity provider')}>
          {t('Manage its members there. Changes take effect at the next sign-in or synchronization.')}
        </Alert>
      )}
      <Row justify="space-between">
        <Row gap="sm">
          <SearchField label={t('Search members')} parameter="member" />
          <SegmentedControl
            aria-label={t('Members to show')}
            data={views.map(({ value, label }) => ({ value, label: t(label) }))}
            value={effective ? 'effective' : 'direct'}
            onChange={(view) => change({ view: view === 'effective' ? view : null })}
          />
        </Row>
        {isManual && <Button onClick={() => setIsAdding(true)}>{t('Add members')}</Button>}
      </Row>
      <ListView
        list={list}
        empty={<EmptyMembers q={q} isEffective={effective} />}
        total={q === undefined && effective ? group.member_count : undefined}
      >
        {(members) => (
          <MembersTable
            members={members}
            isEffective={effective}
            onRemove={isManual ? setRemoved : undefined}
          />
        )}
      </ListView>
      {isAdding && <AddMembers group={group} onClose={() => setIsAdding(false)} />}
      {removed && <RemoveMember group={group} member={removed} onClose={() => setRemoved(undefined)} />}
    </>
  );
}
