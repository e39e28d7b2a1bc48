import { SimpleGrid, Text } from '@mantine/core';
import { groups } from '../../api/sources.js';
import { QueryView } from '../../components/query-view.js';
import { RemoteSelect } from '../../components/remote-select.js';
import { Section } from '../../components/section.js';
import { useParameter } from '../../components/use-parameter.js';
import { WorkspacePicker } from '../../components/workspace-picker.js';
import { isAdmin, useMe } from '../../session/use-session.js';
import { AnalyticsPage } from './analytics-page.js';
import { Buckets } from './buckets.js';
import { Figure, FigureCards } from './figures.js';
import { count, duration } from './format.js';
import { usePeriod } from './period.js';
import { useGroupUsage, useWorkspaceUsage } from './use-usage.js';

function WorkspaceAdoption() {
  const [id, setId] = useParameter('workspace');
  const { period } = usePeriod();
  const usage = useWorkspaceUsage(id);
  return (
    <Section title="By workspace">
      <WorkspacePicker label="Workspace" value={id} onChange={setId} />
      {id !== null && (
        <QueryView query={usage}>
          {(found) => (
            <>
              <FigureCards figures={found} previous={found.previous} />
              <Buckets buckets={found.buckets} unit={period.bucket} />
            </>
          )}
        </QueryView>
      )}
    </Section>
  );
}

function GroupAdoption() {
  const [id, setId] = useParameter('group');
  const { period } = usePeriod();
  const usage = useGroupUsage(id);
  return (
    <Section title="By group" lead="Figures of fewer than 5 people are hidden.">
      <RemoteSelect label="Group" placeholder="Name of a group" source={groups} value={id} onChange={setId} />
      {id !== null && (
        <QueryView query={usage}>
          {(found) => (
            <>
              <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm">
                <Figure label="Members" value={count(found.members)} />
                <Figure label="Viewers" value={count(found.viewers)} hint="Members with a view" />
                <Figure label="Views" value={count(found.views)} />
                <Figure label="Time viewed" value={found.seconds === null ? '–' : duration(found.seconds)} />
              </SimpleGrid>
              {found.views === null && (
                <Text size="sm" c="dimmed">
                  Fewer than 5 people of this group opened reports in this period.
                </Text>
              )}
              <Buckets buckets={found.buckets} unit={period.bucket} />
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
    <AnalyticsPage title="Adoption" file="adoption">
      <WorkspaceAdoption />
      {isAdmin(me) && <GroupAdoption />}
    </AnalyticsPage>
  );
}
