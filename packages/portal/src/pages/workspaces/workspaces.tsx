import { Anchor, Table } from '@mantine/core';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router';
import { api } from '../../api/client.js';
import type { components } from '../../api/schema.js';
import { useList } from '../../api/use-list.js';
import { ListView } from '../../components/list-view.js';
import { Page } from '../../components/page.js';
import { RowCount } from '../../components/row-count.js';
import { SearchField } from '../../components/search-field.js';
import { SortHeader } from '../../components/sort-header.js';
import { Empty } from '../../components/states.js';
import { formatNumber } from '../../i18n/format.js';
import { NoWorkspaces } from '../home/no-workspaces.js';

type Workspace = components['schemas']['WorkspaceDto'];

const Row = memo(({ workspace: { id, name, report_count } }: { workspace: Workspace }) => (
  <Table.Tr>
    <Table.Td>
      <Anchor component={Link} to={`/workspaces/${id}`}>
        {name}
      </Anchor>
    </Table.Td>
    <Table.Td ta="right">{formatNumber(report_count)}</Table.Td>
  </Table.Tr>
));

export function Component() {
  const { t } = useTranslation();
  const [parameters] = useSearchParams();
  const q = parameters.get('q') ?? undefined;
  const sort = parameters.get('sort') === '-name' ? '-name' : 'name';
  const list = useList(
    ['workspaces', 'list', q, sort],
    (cursor, signal) =>
      api.GET('/api/workspaces', { params: { query: { q, cursor, limit: 50, sort, count: true } }, signal }),
    ({ workspaces }) => workspaces,
  );
  return (
    <Page
      title={t('Workspaces')}
      lead={<RowCount list={list}>{(count) => t('{{count}} workspaces', { count })}</RowCount>}
    >
      <SearchField label={t('Search workspaces')} />
      <ListView
        list={list}
        empty={q === undefined ? <NoWorkspaces /> : <Empty title={t('No workspaces match “{{q}}”', { q })} />}
      >
        {(workspaces) => (
          <Table highlightOnHover layout="fixed">
            <Table.Thead>
              <Table.Tr>
                <SortHeader label={t('Name')} by="name" initial="name" />
                <Table.Th ta="right" w={100}>
                  {t('Reports')}
                </Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {workspaces.map((workspace) => (
                <Row key={workspace.id} workspace={workspace} />
              ))}
            </Table.Tbody>
          </Table>
        )}
      </ListView>
    </Page>
  );
}
