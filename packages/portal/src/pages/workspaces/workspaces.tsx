import { Anchor, Table } from '@mantine/core';
import { Link, useSearchParams } from 'react-router';
import { api } from '../../api/client.js';
import { useList } from '../../api/use-list.js';
import { ListView } from '../../components/list-view.js';
import { Page } from '../../components/page.js';
import { RowCount } from '../../components/row-count.js';
import { SearchField } from '../../components/search-field.js';
import { SortHeader } from '../../components/sort-header.js';
import { Empty } from '../../components/states.js';
import { isAdmin, useMe } from '../../session/use-session.js';

const NONE = { title: 'You see no workspace yet' };

function NoWorkspaces({ q }: { q: string | undefined }) {
  const { data: me } = useMe();
  if (q !== undefined) return <Empty title={`No workspace has “${q}” in its name`} />;
  if (!isAdmin(me))
    return <Empty {...NONE}>A manager of a workspace, or an administrator, can invite you to it.</Empty>;
  return (
    <Empty {...NONE}>
      Workspaces come from Power BI with a{' '}
      <Anchor component={Link} to="/syncs">
        sync
      </Anchor>
      .
    </Empty>
  );
}

export function Component() {
  const [parameters] = useSearchParams();
  const q = parameters.get('q') ?? undefined;
  const sort = parameters.get('sort') === '-name' ? '-name' : 'name';
  const list = useList(
    ['workspaces', q, sort],
    (cursor, signal) =>
      api.GET('/api/workspaces', { params: { query: { q, cursor, limit: 50, sort } }, signal }),
    ({ workspaces }) => workspaces,
  );
  return (
    <Page title="Workspaces" lead={<RowCount list={list} one="workspace" many="workspaces" />}>
      <SearchField label="Search workspaces" />
      <ListView list={list} empty={<NoWorkspaces q={q} />}>
        {(workspaces) => (
          <Table highlightOnHover verticalSpacing="sm" layout="fixed">
            <Table.Thead>
              <Table.Tr>
                <SortHeader label="Name" by="name" initial="name" />
                <Table.Th ta="right" w={100}>
                  Reports
                </Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {workspaces.map(({ id, name, report_count }) => (
                <Table.Tr key={id}>
                  <Table.Td>
                    <Anchor component={Link} to={`/workspaces/${id}`}>
                      {name}
                    </Anchor>
                  </Table.Td>
                  <Table.Td ta="right">{report_count}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        )}
      </ListView>
    </Page>
  );
}
