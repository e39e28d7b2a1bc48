import { Alert, SegmentedControl } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.js';
import { useList } from '../../api/use-list.js';
import { ListView } from '../../components/list-view.js';
import { Page } from '../../components/page.js';
import { Empty } from '../../components/states.js';
import { useParameter } from '../../components/use-parameter.js';
import { managesAny, useMe } from '../../session/use-session.js';
import { OwnRequests } from './own-requests.js';
import { RequestsTable } from './requests-table.js';

const statuses = ['pending', 'approved', 'declined'] as const;
type Status = (typeof statuses)[number];

const useRequests = (status: Status) =>
  useList(
    ['access-requests', status],
    (cursor, signal) =>
      api.GET('/api/access-requests', { params: { query: { status, cursor, limit: 100 } }, signal }),
    ({ access_requests }) => access_requests,
  );

/** Requests that the user decides. The link of an email names one by `id`. */
function Decisions({ linked }: { linked: string | null }) {
  const { t } = useTranslation();
  const [given, setStatus] = useParameter('status');
  const status = statuses.find((each) => each === given) ?? 'pending';
  const list = useRequests(status);
  const isMissing =
    linked !== null &&
    status === 'pending' &&
    list.rows?.every(({ id }) => id !== linked) === true &&
    !list.hasNextPage;
  const labels = { pending: t('Pending'), approved: t('Approved'), declined: t('Declined') };
  return (
    <>
      {isMissing && (
        <Alert color="yellow" role="status">
          {t('This request has been decided, or you cannot decide it.')}
        </Alert>
      )}
      <SegmentedControl
        aria-label={t('Status')}
        data={statuses.map((value) => ({ value, label: labels[value] }))}
        value={status}
        onChange={setStatus}
        style={{ alignSelf: 'flex-start' }}
      />
      <ListView list={list} empty={<Empty title={t('No requests with this status')} />}>
        {(requests) => <RequestsTable requests={requests} linked={linked} />}
      </ListView>
    </>
  );
}

/** Requests that the user decides, then the user's own, which are all that readers have. */
export function Component() {
  const { t } = useTranslation();
  const { data: me } = useMe();
  const [linked] = useParameter('id');
  return (
    <Page title={t('Access requests')}>
      {(managesAny(me) || linked !== null) && <Decisions linked={linked} />}
      <OwnRequests />
    </Page>
  );
}
