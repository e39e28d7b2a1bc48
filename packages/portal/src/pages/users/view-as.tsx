import { Anchor, Table, Text } from '@mantine/core';
import { Link, useParams } from 'react-router';
import { t } from 'i18next';
import { api } from '../../api/client.js';
import { useList } from '../../api/use-list.js';
import { ListView } from '../../components/list-view.js';
import { Page } from '../../components/page.js';
import { QueryView } from '../../components/query-view.js';
import { Section } from '../../components/section.js';
import { WayBack } from '../../components/way-back.js';
import { WideTable } from '../../components/wide-table.js';
import { formatNumber } from '../../i18n/format.js';
import { WorkspaceLink } from '../reports/workspace-link.js';
import { Freshness } from '../reports/freshness.js';
import { type User, useUser } from './use-user.js';

const None = ({ user, children }: { user: User; children: string }) => (
  <Text size="sm" c="dimmed">
    {user.status === 'disabled' ? t("This user is disabled and can't sign in.") : children}
  </Text>
);

function Workspaces({ user }: { user: User }) {
  const list = useList(
    ['users', 'view-as', user.id, 'workspaces'],
    (cursor, signal) =>
      api.GET('/api/users/{id}/workspaces', {
        params: { path: { id: user.id }, query: { cursor, limit: 50 } },
        signal,
      }),
    ({ workspaces }) => workspaces,
  );
  return (
    <Section title={t('Workspaces')}>
      <ListView list={list} empty={<None user={user}>{t("The user doesn't see any workspaces.")}</None>}>
        {(workspaces) => (
          <Table verticalSpacing="sm">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('Name')}</Table.Th>
                <Table.Th ta="right">{t('Reports')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {workspaces.map(({ id, name, report_count: reports }) => (
                <Table.Tr key={id}>
                  <Table.Td>
                    <Anchor component={Link} to={`/workspaces/${id}`}>
                      {name}
                    </Anchor>
                  </Table.Td>
                  <Table.Td ta="right">{formatNumber(reports)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        )}
      </ListView>
    </Section>
  );
}

function Reports({ user }: { user: User }) {
  const list = useList(
    ['users', 'view-as', user.id, 'reports'],
    (cursor, signal) =>
      api.GET('/api/users/{id}/reports', {
        params: { path: { id: user.id }, query: { cursor, limit: 50 } },
        signal,
      }),
    ({ reports }) => reports,
  );
  return (
    <Section title={t('Reports')}>
      <ListView list={list} empty={<None user={user}>{t("The user doesn't see any reports.")}</None>}>
        {(reports) => (
          <WideTable minWidth={480}>
            <Table verticalSpacing="sm">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{t('Name')}</Table.Th>
                  <Table.Th>{t('Workspace')}</Table.Th>
                  <Table.Th>{t('Data')}</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {reports.map((report) => (
                  <Table.Tr key={report.id}>
                    <Table.Td>
                      <Anchor component={Link} to={`/reports/${report.id}`}>
                        {report.name}
                      </Anchor>
                    </Table.Td>
                    <Table.Td>
                      <WorkspaceLink id={report.workspace_id} />
                    </Table.Td>
                    <Table.Td>
                      <Freshness report={report} />
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </WideTable>
        )}
      </ListView>
    </Section>
  );
}

export function Component() {
  const { id = '' } = useParams();
  const query = useUser(id);
  const name = query.data?.name;
  const user = { to: `/users/${id}`, label: name ?? t('User') };
  return (
    <Page
      title={name === undefined ? t('View as user') : t('View as {{name}}', { name })}
      above={<WayBack steps={[{ to: '/users', label: t('Users') }, user]} />}
      lead={t('Workspaces and reports that this user sees. A report opens with your own access and data.')}
    >
      <QueryView query={query}>
        {(found) => (
          <>
            <Workspaces user={found} />
            <Reports user={found} />
          </>
        )}
      </QueryView>
    </Page>
  );
}
