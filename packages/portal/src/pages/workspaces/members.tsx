import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { GrantDialog } from '../../access/grant-dialog.js';
import { RemoveGrant } from '../../access/remove-grant.js';
import { api } from '../../api/client.js';
import { workspaces } from '../../api/sources.js';
import { useList } from '../../api/use-list.js';
import { ListView } from '../../components/list-view.js';
import { useName } from '../../components/name-of.js';
import { SearchField } from '../../components/search-field.js';
import { Empty } from '../../components/states.js';
import { useParameter } from '../../components/use-parameter.js';
import { isAdmin, useMe } from '../../session/use-session.js';
import { InviteDialog } from '../invitations/invite-dialog.js';
import { AddMember } from './add-member.js';
import { type Member, MembersTable } from './members-table.js';

type Doing = { what: 'add' } | { what: 'invite' } | { what: 'change' | 'remove'; member: Member };

interface DialogsProps {
  workspaceId: string;
  doing: Doing | undefined;
  onClose: () => void;
}

function Dialogs({ workspaceId, doing, onClose }: DialogsProps) {
  const { data: me } = useMe();
  const workspace = useName(workspaces, workspaceId) ?? 'this workspace';
  if (doing === undefined) return null;
  if (doing.what === 'add') return <AddMember workspaceId={workspaceId} onClose={onClose} />;
  if (doing.what === 'invite') return <InviteDialog workspaceId={workspaceId} onClose={onClose} />;
  const { member } = doing;
  const place = { userId: member.user_id, workspaceId };
  if (doing.what === 'change') {
    const title = `${member.name} in ${workspace}`;
    return <GrantDialog title={title} place={place} grant={member} onClose={onClose} />;
  }
  const locksOut = member.user_id === me?.id && !isAdmin(me);
  return <RemoveGrant {...{ place, workspace, locksOut, onClose }} person={member.name} />;
}

/** Who may see a workspace, for its managers and for admins. */
export function WorkspaceMembers({ workspaceId }: { workspaceId: string }) {
  const { data: me } = useMe();
  const [doing, setDoing] = useState<Doing>();
  const q = useParameter('member')[0] ?? undefined;
  const list = useList(
    ['workspaces', workspaceId, 'members', q],
    (cursor, signal) =>
      api.GET('/api/workspaces/{id}/members', {
        params: { path: { id: workspaceId }, query: { q, cursor, sort: 'email', limit: 50 } },
        signal,
      }),
    ({ members }) => members,
  );
  const empty =
    q === undefined ? (
      <Empty title="Nobody sees this workspace yet">Only admins do, without being members of it.</Empty>
    ) : (
      <Empty title={`No member has “${q}” in name or e-mail`} />
    );
  return (
    <>
      <Group justify="space-between" mb="md">
        <SearchField label="Search members" parameter="member" />
        <Group gap="sm">
          {isAdmin(me) && (
            <Button variant="default" onClick={() => setDoing({ what: 'add' })}>
              Add somebody
            </Button>
          )}
          <Button onClick={() => setDoing({ what: 'invite' })}>Invite by mail</Button>
        </Group>
      </Group>
      <ListView list={list} empty={empty}>
        {(members) => (
          <MembersTable
            members={members}
            onChange={(member) => setDoing({ what: 'change', member })}
            onRemove={(member) => setDoing({ what: 'remove', member })}
          />
        )}
      </ListView>
      <Dialogs workspaceId={workspaceId} doing={doing} onClose={() => setDoing(undefined)} />
    </>
  );
}
