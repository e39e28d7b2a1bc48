import { Skeleton, Table } from '@mantine/core';
import { lazy, Suspense, useMemo } from 'react';
import { t } from 'i18next';
import { msg } from '../../i18n/index.js';
import type { components } from '../../api/schema.js';
import { Section } from '../../components/section.js';
import { load } from '../../load/load-error.js';
import { count, startOf } from './format.js';

const Chart = lazy(load(() => import('./chart.js')));

type Bucket = Pick<components['schemas']['UsageBucketDto'], 'start'> & {
  views: number | null;
  viewers: number | null;
};

type BucketUnit = 'day' | 'week' | 'month';

const titles: Record<BucketUnit, string> = {
  day: msg('Views by day'),
  week: msg('Views by week'),
  month: msg('Views by month'),
};

/** Views and viewers by day, week or month: a chart, and the same figures as a table. */
export function Buckets({ buckets, unit }: { buckets: Bucket[]; unit: BucketUnit }) {
  const title = t(titles[unit]);
  const chart = useMemo(
    () => ({
      categories: buckets.map(({ start }) => startOf(start)),
      series: [
        { name: t('Views'), values: buckets.map(({ views }) => views) },
        { name: t('Viewers'), values: buckets.map(({ viewers }) => viewers) },
      ],
    }),
    [buckets],
  );
  return (
    <Section title={title}>
      <Suspense fallback={<Skeleton height={260} />}>
        <Chart label={t('Chart: {{title}}. The table below contains the same data.', { title })} {...chart} />
      </Suspense>
      <details>
        <summary>{t('Show as table')}</summary>
        <Table mt="sm" maw={520}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('Start')}</Table.Th>
              <Table.Th ta="right">{t('Views')}</Table.Th>
              <Table.Th ta="right">{t('Viewers')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {buckets.map(({ start, views, viewers }) => (
              <Table.Tr key={start}>
                <Table.Td>{startOf(start)}</Table.Td>
                <Table.Td ta="right">{count(views)}</Table.Td>
                <Table.Td ta="right">{count(viewers)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </details>
    </Section>
  );
}
