import { Skeleton, Table } from '@mantine/core';
import { lazy, Suspense, useMemo } from 'react';
import type { components } from '../../api/schema.js';
import { Section } from '../../components/section.js';
import { load } from '../../load/load-error.js';
import { count, startOf } from './format.js';

const Chart = lazy(load(() => import('./chart.js')));

type Bucket = Pick<components['schemas']['UsageBucketDto'], 'start'> & {
  views: number | null;
  viewers: number | null;
};

/** Views and viewers by day, week or month: a chart, and the same figures as a table. */
export function Buckets({ buckets, unit }: { buckets: Bucket[]; unit: string }) {
  const title = `Views by ${unit}`;
  const chart = useMemo(
    () => ({
      categories: buckets.map(({ start }) => startOf(start)),
      series: [
        { name: 'Views', values: buckets.map(({ views }) => views) },
        { name: 'Viewers', values: buckets.map(({ viewers }) => viewers) },
      ],
    }),
    [buckets],
  );
  return (
    <Section title={title}>
      <Suspense fallback={<Skeleton height={260} />}>
        <Chart label={`Chart: ${title.toLowerCase()}. The table below has the same figures.`} {...chart} />
      </Suspense>
      <details>
        <summary>Show as a table</summary>
        <Table mt="sm" maw={520}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Start</Table.Th>
              <Table.Th ta="right">Views</Table.Th>
              <Table.Th ta="right">Viewers</Table.Th>
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
