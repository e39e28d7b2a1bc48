import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, read } from '../../api/client.js';
import { QueryView } from '../../components/query-view.js';
import { fromNow } from '../../components/from-now.js';
import { useNow } from '../../components/use-now.js';
import { recordVisit } from '../../session/visits.js';
import { useFavourites } from '../favourites/use-favourites.js';
import { HomeSection } from './home-section.js';
import { ReportCards } from './report-cards.js';

const SHOWN = 8;
const MAX_NEW = 50;

export function Favourites() {
  const { t } = useTranslation();
  const favourites = useFavourites();
  return (
    <HomeSection title={t('Favourites')} all={{ to: '/favourites', label: t('All favourites') }}>
      <QueryView query={favourites}>
        {(reports) =>
          reports.length === 0 ? (
            <Text size="sm" c="dimmed">
              {t('Select the star of a report to add it here.')}
            </Text>
          ) : (
            <ReportCards reports={reports.slice(0, SHOWN)} />
          )
        }
      </QueryView>
    </HomeSection>
  );
}

export function Recents() {
  const { t } = useTranslation();
  const recents = useQuery({
    queryKey: ['recents'],
    queryFn: async ({ signal }) => (await read(api.GET('/api/users/me/recents', { signal }))).recents,
    // Every opened report changes them.
    staleTime: 0,
  });
  return (
    <HomeSection title={t('Recently opened')} all={{ to: '/reports', label: t('All reports') }}>
      <QueryView query={recents}>
        {(reports) =>
          reports.length === 0 ? (
            <Text size="sm" c="dimmed">
              {t('Reports that you open appear here.')}
            </Text>
          ) : (
            <ReportCards reports={reports.slice(0, SHOWN)} />
          )
        }
      </QueryView>
    </HomeSection>
  );
}

/** Reports that were added or changed since the previous visit. Nothing at the first visit. */
export function NewReports({ person }: { person: string }) {
  const { t } = useTranslation();
  const [since] = useState(() => recordVisit(person));
  const { data } = useQuery({
    enabled: since !== null,
    queryKey: ['reports', 'new', since],
    queryFn: async ({ signal }) => {
      const query = { sort: '-updated_at', limit: MAX_NEW } as const;
      const { reports } = await read(api.GET('/api/reports', { params: { query }, signal }));
      return reports.filter(({ updated_at }) => since !== null && updated_at > since);
    },
  });
  const when = useNow((now) => (since === null ? '' : fromNow(since, now)));
  if (since === null || data === undefined || data.length === 0) return null;
  return (
    <HomeSection title={t('New or changed since your last visit {{when}}', { when })}>
      <ReportCards reports={data.slice(0, SHOWN)} />
    </HomeSection>
  );
}
