import { Anchor, Card, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { api, read } from '../../api/client.js';
import { QueryView } from '../../components/query-view.js';
import { load } from '../../load/load-error.js';
import { HomeSection } from './home-section.js';

const NoWorkspaces = lazy(load(async () => ({ default: (await import('./no-workspaces.js')).NoWorkspaces })));

const SHOWN = 12;

/** The first workspaces by name. */
export function WorkspaceCards() {
  const { t } = useTranslation();
  const workspaces = useQuery({
    queryKey: ['workspaces', 'home'],
    queryFn: ({ signal }) =>
      read(api.GET('/api/workspaces', { params: { query: { limit: SHOWN, sort: 'name' } }, signal })),
  });
  return (
    <HomeSection title={t('Workspaces')} all={{ to: '/workspaces', label: t('All workspaces') }}>
      <QueryView query={workspaces}>
        {({ workspaces: found }) =>
          found.length === 0 ? (
            <Suspense>
              <NoWorkspaces order={3} />
            </Suspense>
          ) : (
            <ul className="home-cards">
              {found.map(({ id, name, report_count }) => (
                <li key={id}>
                  <Card className="home-card" withBorder padding="md">
                    <Anchor component={Link} to={`/workspaces/${id}`} fw={600} className="home-card-link">
                      {name}
                    </Anchor>
                    <Text size="sm" c="dimmed">
                      {t('{{count}} reports', { count: report_count })}
                    </Text>
                  </Card>
                </li>
              ))}
            </ul>
          )
        }
      </QueryView>
    </HomeSection>
  );
}
