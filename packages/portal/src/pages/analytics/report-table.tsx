import { Anchor, Group, Table, Text } from '@mantine/core';
import { memo } from 'react';
import { Link } from 'react-router';
import { t } from 'i18next';
import type { components } from '../../api/schema.js';
import { SortHeader } from '../../components/sort-header.js';
import { Time } from '../../components/time.js';
import { WideTable } from '../../components/wide-table.js';
import { change, count, duration, milliseconds } from './format.js';
import { usePeriod } from './period.js';
import { Sparkline } from './sparkline.js';

export type ReportUsage = components['schemas']['ReportUsageDto'];

interface RowProps {
  report: ReportUsage;
  search: string;
  /** Whether views are compared with the period before. */
  compares: boolean;
}

const Row = memo(({ report, search, compares }: RowProps) => (
  <Table.Tr>
    <Table.Td>
      <Anchor component={Link} to={`/analytics/reports/${report.report_id}${search}`}>
        {report.name}
      </Anchor>
      <Text size="xs" c="dimmed">
        {report.workspace_name}
      </Text>
    </Table.Td>
    <Table.Td ta="right">{count(report.views)}</Table.Td>
    <Table.Td>
      <Group gap="xs" wrap="nowrap" justify="flex-end">
        {compares && (change(report.views, report.previous_views) ?? '–')}
        <Sparkline values={report.views_over_time} />
      </Group>
    </Table.Td>
    <Table.Td ta="right">{count(report.viewers)}</Table.Td>
    <Table.Td ta="right">{duration(report.seconds)}</Table.Td>
    <Table.Td ta="right">{milliseconds(report.opening_ms.p95)}</Table.Td>
    <Table.Td ta="right">{count(report.failures)}</Table.Td>
    <Table.Td>
      <Time at={report.last_viewed_at} />
    </Table.Td>
  </Table.Tr>
));

/** The figures of reports; `sortable` adds the order to the URL. */
export function ReportTable({ reports, sortable = false }: { reports: ReportUsage[]; sortable?: boolean }) {
  const { search, compares } = usePeriod();
  const header = (label: string, by: string, ta?: 'right') =>
    sortable ? (
      <SortHeader label={label} by={by} initial="-views" ta={ta} />
    ) : (
      <Table.Th ta={ta}>{label}</Table.Th>
    );
  return (
    <WideTable minWidth={860}>
      <Table highlightOnHover verticalSpacing="sm">
        <Table.Thead>
          <Table.Tr>
            {header(t('Report'), 'name')}
            {header(t('Views'), 'views', 'right')}
            <Table.Th ta="right">{t('Trend')}</Table.Th>
            <Table.Th ta="right">{t('Viewers')}</Table.Th>
            {header(t('Time viewed'), 'seconds', 'right')}
            {header(t('Load time (p95)'), 'opening', 'right')}
            {header(t('Failures'), 'failures', 'right')}
            {header(t('Last viewed'), 'last_viewed_at')}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {reports.map((report) => (
            <Row key={report.report_id} report={report} search={search} compares={compares} />
          ))}
        </Table.Tbody>
      </Table>
    </WideTable>
  );
}
