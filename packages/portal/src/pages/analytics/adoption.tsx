import { SimpleGrid, Text } from '@mantine/core';
import { t } from 'i18next';
import { api } from '../../api/client.js';
import { groups } from '../../api/sources.js';
import { QueryView } from '../../components/query-view.js';
import { RemoteSelect } from '../../components/remote-select.js';
import { Section } from '../../components/section.js';
import { useParameter } from '../../components/use-parameter.js';
import { WayBack } from '../../components/way-back.js';
import { isAdmin, useMe } from '../../session/use-session.js';
import { AnalyticsPage } from './analytics-page.js';
import { Buckets } from './buckets.js';
import { ExportFigures } from './export-figures.js';
import { Figure, FigureCards } from './figures.js';
import { count, duration, startOf } from './format.js';
import { usePeriod } from './period.js';
import { useGroupUsage, useQueryOfPeriod, useWorkspaceUsage } from './use-usage.js';
import { WorkspaceTable } from './workspace-table.js';

/** One workspace over time, with the way back to all of them. */
function WorkspaceFigures({ id }: { id: string }) {
  const { period, search } = usePeriod();
  const query = useQueryOfPeriod();
  const usage = useWorkspaceUsage(id);
  return (
    <Section title={usage.data?.name ?? t('Workspace')}>
      <WayBack steps={[{ to: `/analytics/adoption${search}`, label: t('All workspaces') }]} />
      <QueryView query={usage}>
        {(found) => (
          <>
            <FigureCards figures={found} previous={found.previous} />
            <Buckets buckets={found.buckets} unit={period.bucket} />
            <ExportFigures
              label={t('Export the figures of the workspace')}
              file="usage-workspace"
              request={(options) =>
                api.GET('/api/usage/workspaces/{id}', { params: { path: { id }, query }, ...options })
              }
            />
          </>
        )}
      </QueryView>
    </Section>
  );
}

function WorkspaceAdoption() {
  const [id] = useParameter('workspace');
  if (id !== null) return <WorkspaceFigures key={id} id={id} />;
  return (
    <Section title={t('By workspace')}>
      <WorkspaceTable />
    </Section>
  );
}

function GroupAdoption() {
  const [id, setId] = useParameter('group');
  const { period } = usePeriod();
  const query = useQueryOfPeriod();
  const usage = useGroupUsage(id);
  return (
    <Section title={t('By group')} lead={t('Numbers for fewer than 5 users are hidden.')}>
      <RemoteSelect
        label={t('Group')}
        placeholder={t('Search groups')}
        source={groups}
        value={id}
        onChange={setId}
      />
      {id !== null && (
        <QueryView query={usage}>
          {(found) => (
            <>
              {found.people_from !== null && (
                <Text size="sm" c="dimmed">
                  {t('Since {{date}}', { date: startOf(found.people_from) })}
                </Text>
              )}
              <SimpleGrid cols={{ base: 2, md: 5 }} spacing="sm">
                <Figure label={t('Members')} value={count(found.members)} />
                <Figure
                  label={t('Viewers')}
                  value={count(found.viewers)}
                  hint={t('Members who viewed reports')}
                />
                <Figure label={t('Views')} value={count(found.views)} />
                <Figure
                  label={t('Time viewed')}
                  value={found.seconds === null ? '–' : duration(found.seconds)}
                />
                <Figure
                  label={t('Issued tokens')}
                  value={count(found.issued_views)}
                  hint={t('Recorded by the service')}
                />
              </SimpleGrid>
              {found.views === null && (
                <Text size="sm" c="dimmed">
                  {t('Hidden, because the figures would reveal the views of fewer than 5 users.')}
                </Text>
              )}
              <Buckets buckets={found.buckets} unit={period.bucket} />
              <ExportFigures
                label={t('Export the figures of the group')}
                file="usage-group"
                request={(options) =>
                  api.GET('/api/usage/groups/{id}', {
                    params: { path: { id }, query },
                    ...options,
                  })
                }
              />
            </>
          )}
        </QueryView>
      )}
    </Section>
  );
}

export function Component() {
  const { data: me } = useMe();
  return (
    <AnalyticsPage title={t('Adoption')}>
      <WorkspaceAdoption />
      {isAdmin(me) && <GroupAdoption />}
    </AnalyticsPage>
  );
}
