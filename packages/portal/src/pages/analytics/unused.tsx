import { Anchor, Select, Table, Text } from '@mantine/core';
import { memo } from 'react';
import { Link } from 'react-router';
import { t } from 'i18next';
import { api } from '../../api/client.js';
import type { components } from '../../api/schema.js';
import { useList } from '../../api/use-list.js';
import { HiddenHeader } from '../../components/hidden-header.js';
import { ListView } from '../../components/list-view.js';
import { RowCount } from '../../components/row-count.js';
import { Empty } from '../../components/states.js';
import { Time } from '../../components/time.js';
import { useParameter } from '../../components/use-parameter.js';
import { WideTable } from '../../components/wide-table.js';
import { AnalyticsPage } from './analytics-page.js';

const ages = ['30', '90', '180', '365'];

type UnusedReport = components['schemas']['UnusedReportDto'];

const Row = memo(
  ({ report: { report_id, name, workspace_name, last_viewed_at } }: { report: UnusedReport }) => (
    <Table.Tr>
      <Table.Td>
        <Anchor component={Link} to={`/reports/${report_id}`}>
          {name}
        </Anchor>
        <Text size="xs" c="dimmed">
          {workspace_name}
        </Text>
      </Table.Td>
      <Table.Td>
        <Time at={last_viewed_at} />
      </Table.Td>
      <Table.Td>
        <Anchor component={Link} to={`/reports/${report_id}/access?tab=grants`} size="sm">
          {t('Review access')}
        </Anchor>
      </Table.Td>
    </Table.Tr>
  ),
);

/** Reports without a view for some time, the longest unused first. */
export function Component() {
  const [given, setAge] = useParameter('unused');
  const age = given !== null && ages.includes(given) ? given : '90';
  const query = { days: Number(age), sort: 'last_viewed_at' } as const;
  const list = useList(
    ['usage', 'unused', query],
    (cursor, signal) =>
      api.GET('/api/usage/unused', { params: { query: { ...query, cursor, limit: 50 } }, signal }),
    (page) => (typeof page === 'string' ? [] : page.reports),
  );
  return (
    <AnalyticsPage
      title={t('Unused reports')}
      lead={<RowCount list={list}>{(count) => t('{{count}} reports', { count })}</RowCount>}
      file="unused-reports"
      request={(options) => api.GET('/api/usage/unused', { params: { query }, ...options })}
      hasPeriod={false}
    >
      <Select
        label={t('Not opened for')}
        w={180}
        data={ages.map((days) => ({ value: days, label: t('{{count}} days', { count: Number(days) }) }))}
        value={age}
        onChange={setAge}
        allowDeselect={false}
      />
      <ListView list={list} empty={<Empty title={t('No unused reports')} />}>
        {(reports) => (
          <WideTable minWidth={560}>
            <Table verticalSpacing="sm">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{t('Report')}</Table.Th>
                  <Table.Th>{t('Last viewed')}</Table.Th>
                  <HiddenHeader label={t('Access')} />
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {reports.map((report) => (
                  <Row key={report.report_id} report={report} />
                ))}
              </Table.Tbody>
            </Table>
          </WideTable>
        )}
      </ListView>
    </AnalyticsPage>
  );
}
