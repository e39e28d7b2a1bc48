import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { t } from 'i18next';
import { api } from '../../api/client.js';
import { useList } from '../../api/use-list.js';
import { Filter, useFilter } from '../../components/filter.js';
import { ListView } from '../../components/list-view.js';
import { Page } from '../../components/page.js';
import { SearchField } from '../../components/search-field.js';
import { Empty } from '../../components/states.js';
import { useNewDialog } from '../../components/use-new-dialog.js';
import { useParameter } from '../../components/use-parameter.js';
import { settings } from '../../settings.js';
import { optionsOf } from '../../i18n/options.js';
import { ResendAll } from './resend-all.js';
import { ShareLink } from './share-link.js';
import { canBeResent, InvitationsTable } from './invitations-table.js';
import { InviteDialog } from './invite-dialog.js';
import { type Invitation, isQueued, POLL_INTERVAL_MS } from './use-invitations.js';
import { deliveries, statuses } from './invitation-texts.js';

function useInvitations() {
  const q = useParameter('q')[0] ?? undefined;
  const status = useFilter('status', optionsOf(statuses));
  const delivery = useFilter('delivery', optionsOf(deliveries));
  const query = { q, status, delivery, sort: '-created_at', limit: 50, count: true } as const;
  const list = useList(
    ['invitations', 'list', query],
    (cursor, signal) => api.GET('/api/invitations', { params: { query: { ...query, cursor } }, signal }),
    ({ invitations }) => invitations,
    { lookAgain: (rows) => (rows.some(isQueued) ? POLL_INTERVAL_MS : undefined) },
  );
  return { list, isFiltered: q !== undefined || status !== undefined || delivery !== undefined };
}

interface ActionsProps {
  canResend: boolean;
  onInvite: () => void;
}

const Actions = ({ canResend, onInvite }: ActionsProps) => (
  <>
    <ResendAll canResend={canResend} />
    <Button component={Link} to="/invitations/bulk" variant="default">
      {t('Bulk invite')}
    </Button>
    <Button onClick={onInvite}>{t('Invite user')}</Button>
  </>
);

export function Component() {
  const { list, isFiltered } = useInvitations();
  const inviting = useNewDialog();
  // Not kept in the row, because the row may leave a filtered list.
  const [resent, setResent] = useState<Invitation>();
  // Without a mail server the new links would have to be shared one by one.
  const canResend = settings.mailConfigured && list.rows?.some(canBeResent) === true;
  const empty = isFiltered ? (
    <Empty title={t('No invitations match your filters')}>
      {t('Try another name, status or delivery status.')}
    </Empty>
  ) : (
    <Empty title={t('No invitations yet')}>
      {t('Invited users receive a link to set up their account.')}
    </Empty>
  );
  return (
    <Page title={t('Invitations')} actions={<Actions canResend={canResend} onInvite={inviting.open} />}>
      <Group gap="sm" align="flex-start">
        <SearchField label={t('Search by name or email')} />
        <Filter label={t('Any status')} parameter="status" options={optionsOf(statuses)} />
        <Filter label={t('Any delivery status')} parameter="delivery" options={optionsOf(deliveries)} />
      </Group>
      <ListView list={list} empty={empty}>
        {(invitations) => <InvitationsTable invitations={invitations} onResent={setResent} />}
      </ListView>
      {resent?.accept_url !== undefined && (
        <ShareLink email={resent.email} link={resent.accept_url} onClose={() => setResent(undefined)} />
      )}
      {inviting.isOpen && <InviteDialog onClose={inviting.close} />}
    </Page>
  );
}
