import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { api } from '../../api/client.js';
import { useList } from '../../api/use-list.js';
import { Filter, useFilter } from '../../components/filter.js';
import { ListView } from '../../components/list-view.js';
import { Page } from '../../components/page.js';
import { SearchField } from '../../components/search-field.js';
import { Empty } from '../../components/states.js';
import { useParameter } from '../../components/use-parameter.js';
import { managesAny, useMe } from '../../session/use-session.js';
import { HandOn } from './hand-on.js';
import { InvitationsTable } from './invitations-table.js';
import { InviteDialog } from './invite-dialog.js';
import { type Invitation, isOnItsWay, LOOK_AGAIN_MS } from './use-invitations.js';
import { deliveries, statuses } from './words.js';

function useInvitations() {
  const q = useParameter('q')[0] ?? undefined;
  const status = useFilter('status', statuses);
  const delivery = useFilter('delivery', deliveries);
  const query = { q, status, delivery, sort: '-created_at', limit: 50 } as const;
  const list = useList(
    ['invitations', 'list', query],
    (cursor, signal) => api.GET('/api/invitations', { params: { query: { ...query, cursor } }, signal }),
    ({ invitations }) => invitations,
    { lookAgain: (rows) => (rows.some(isOnItsWay) ? LOOK_AGAIN_MS : undefined) },
  );
  return { list, isNarrowed: q !== undefined || status !== undefined || delivery !== undefined };
}

const Actions = ({ onInvite }: { onInvite: () => void }) => (
  <>
    <Button component={Link} to="/invitations/bulk" variant="default">
      Bulk invite
    </Button>
    <Button onClick={onInvite}>Invite user</Button>
  </>
);

export function Component() {
  const { data: me } = useMe();
  const { list, isNarrowed } = useInvitations();
  const [invites, setInvites] = useParameter('new');
  // Not in its row, which leaves a list of those that had expired.
  const [resent, setResent] = useState<Invitation>();
  const mayInvite = managesAny(me);
  const empty = isNarrowed ? (
    <Empty title="No invitation is like that">Try another name, status or delivery.</Empty>
  ) : (
    <Empty title="Nobody was invited yet">
      {mayInvite
        ? 'Whoever you invite gets a mail with a link to choose a password.'
        : 'You can invite people once you manage a workspace.'}
    </Empty>
  );
  return (
    <Page title="Invitations" actions={mayInvite && <Actions onInvite={() => setInvites('yes')} />}>
      <Group gap="sm" align="flex-start">
        <SearchField label="Search by name or e-mail" />
        <Filter label="Any status" parameter="status" options={statuses} />
        <Filter label="Any delivery" parameter="delivery" options={deliveries} />
      </Group>
      <ListView list={list} empty={empty}>
        {(invitations) => <InvitationsTable invitations={invitations} onResent={setResent} />}
      </ListView>
      {resent?.accept_url !== undefined && (
        <HandOn email={resent.email} link={resent.accept_url} onClose={() => setResent(undefined)} />
      )}
      {invites !== null && mayInvite && <InviteDialog onClose={() => setInvites(null)} />}
    </Page>
  );
}
