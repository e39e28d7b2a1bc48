import { Anchor, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { api } from '../../api/client.js';
import { lastDays } from './days.js';
import { count } from './format.js';
import { searchOf } from './period.js';
import { figures } from './use-usage.js';

const DAYS = 30;

const times = (views: number): string => (views === 1 ? 'once' : `${count(views)} times`);
const people = (viewers: number | null): string =>
  viewers === null ? '' : ` by ${count(viewers)} ${viewers === 1 ? 'person' : 'people'}`;

/** How often a report was opened. Nothing while it is read, and where the reader may not see it. */
export function ReportCount({ id }: { id: string }) {
  const { data } = useQuery({
    queryKey: ['usage', 'reports', id, 'count'],
    queryFn: ({ signal }) => {
      const query = { days: DAYS, bucket: 'month' } as const;
      return figures(api.GET('/api/usage/reports/{id}', { params: { path: { id }, query }, signal }));
    },
    retry: false,
  });
  if (data === undefined) return null;
  const { views, viewers } = data;
  const opened = views === 0 ? 'No views' : `Opened ${times(views)}`;
  const who = views === 0 ? '' : people(viewers);
  return (
    // Tall enough for a finger, without a taller line.
    <Anchor
      component={Link}
      to={`/analytics/reports/${id}${searchOf(lastDays(DAYS))}`}
      size="sm"
      truncate
      miw={0}
      py={4}
      my={-4}
    >
      {opened}
      <Text span inherit visibleFrom="sm">
        {` in the last ${DAYS} days`}
      </Text>
      {who}
    </Anchor>
  );
}
