import { Anchor, Table } from '@mantine/core';
import { Link } from 'react-router';
import { t } from 'i18next';
import { api } from '../../api/client.js';
import { useList } from '../../api/use-list.js';
import { ListView } from '../../components/list-view.js';
import { SearchField } from '../../components/search-field.js';
import { SortHeader } from '../../components/sort-header.js';
import { Empty } from '../../components/states.js';
import { useParameter } from '../../components/use-parameter.js';
import { WideTable } from '../../components/wide-table.js';
import { change, count, duration } from './format.js';
import { usePeriod } from './period.js';

const sorts = ['name', '-name', 'views', '-views', 'seconds', '-seconds'] as const;

/** Every workspace with its figures of the period, also those without views. */
export function WorkspaceTable() {
  const { query: period, search, compares } = usePeriod();
  const q = useParameter('q')[0] ?? undefined;
  const [given] = useParameter('sort');
  const sort = sorts.find((each) => each === given) ?? '-views';
  const query = { ...period, q, sort };
  const list = useList(
    ['usage', 'workspaces', 'list', query],
    (cursor, signal) =>
      api.GET('/api/usage/workspaces', { params: { query: { ...query, cursor, limit: 50 } }, signal }),
    (page) => (typeof page === 'string' ? [] : page.workspaces),
  );
  return (
    <>
      <SearchField label={t('Search workspaces')} />
      <ListView list={list} empty={<Empty order={3} title={t('No workspaces match')} />}>
        {(workspaces) => (
          <WideTable minWidth={560}>
            <Table highlightOnHover verticalSpacing="sm">
              <Table.Thead>
                <Table.Tr>
                  <SortHeader label={t('Workspace')} by="name" initial="-views" />
                  <SortHeader label={t('Views')} by="views" initial="-views" ta="right" />
                  {compares && <Table.Th ta="right">{t('Trend')}</Table.Th>}
                  <Table.Th ta="right">{t('Viewers')}</Table.Th>
                  <SortHeader label={t('Time viewed')} by="seconds" initial="-views" ta="right" />
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {workspaces.map((each) => (
                  <Table.Tr key={each.workspace_id}>
                    <Table.Td>
                      <Anchor component={Link} to={`${search}&workspace=${each.workspace_id}`}>
                        {each.name}
                      </Anchor>
                    </Table.Td>
                    <Table.Td ta="right">{count(each.views)}</Table.Td>
                    {compares && (
                      <Table.Td ta="right">{change(each.views, each.previous_views) ?? '–'}</Table.Td>
                    )}
                    <Table.Td ta="right">{count(each.viewers)}</Table.Td>
                    <Table.Td ta="right">{duration(each.seconds)}</Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </WideTable>
        )}
      </ListView>
    </>
  );
}
