import { Anchor, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { t } from 'i18next';
import { Link } from 'react-router';
import { api } from '../../api/client.js';
import { manages, useMe } from '../../session/use-session.js';
import { settings } from '../../settings.js';
import { figures } from './use-usage.js';

/** The period that the linked page shows. */
const DAYS = 28;

/** Views of a report in the last 28 days. Empty while loading, and without the right to see them. */
export function ReportCount({ id, workspace_id }: { id: string; workspace_id: string }) {
  const { data: me } = useMe();
  const { data } = useQuery({
    queryKey: ['usage', 'reports', id, 'count'],
    queryFn: ({ signal }) => {
      const query = { days: DAYS, bucket: 'month' } as const;
      return figures(api.GET('/api/usage/reports/{id}', { params: { path: { id }, query }, signal }));
    },
    // The audit trail records a denied request.
    enabled: settings.isUsageVisibleToViewers || manages(me, workspace_id),
    retry: false,
  });
  if (data === undefined) return null;
  const { views, viewers } = data;
  const parts = [
    views === 0 ? t('No views') : t('{{count}} views', { count: views }),
    ...(views === 0 || viewers === null ? [] : [t('{{count}} viewers', { count: viewers })]),
  ];
  return (
    // Tall enough for a finger, without a taller line.
    <Anchor
      component={Link}
      to={`/analytics/reports/${id}?days=${DAYS}`}
      size="sm"
      truncate
      miw={0}
      py={4}
      my={-4}
    >
      {parts.join(' · ')}
      <Text span inherit visibleFrom="sm">
        {' · '}
        {t('last {{count}} days', { count: DAYS })}
      </Text>
    </Anchor>
  );
}
