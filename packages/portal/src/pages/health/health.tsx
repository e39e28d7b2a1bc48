import { Alert, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconCircleX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { api, read } from '../../api/client.js';
import type { components } from '../../api/schema.js';
import { Page } from '../../components/page.js';
import { ProblemAlert } from '../../components/states.js';
import { QueryView } from '../../components/query-view.js';
import { Time } from '../../components/time.js';
import { Checks } from './checks.js';

type Status = components['schemas']['HealthDto']['status'];

/** As long as the service remembers what other systems answered. */
const EVERY_MS = 15_000;

const overall: Record<Status, { title: string; color: string; icon: typeof IconCircleCheck }> = {
  ok: { title: 'Everything works', color: 'teal', icon: IconCircleCheck },
  degraded: { title: 'Some of it does not work right now', color: 'orange', icon: IconAlertTriangle },
  down: { title: 'Vitrine does not work right now', color: 'red', icon: IconCircleX },
};

function Overall({ status }: { status: Status }) {
  const { title, color, icon: Icon } = overall[status];
  return <Alert color={color} title={title} icon={<Icon aria-hidden />} role="status" />;
}

export function Component() {
  const health = useQuery({
    queryKey: ['health'],
    queryFn: ({ signal }) => read(api.GET('/api/health', { signal })),
    refetchInterval: EVERY_MS,
    staleTime: 0,
  });
  return (
    <Page title="Health" lead="How Vitrine and what it depends on are doing.">
      {health.data !== undefined && health.error !== null && (
        <ProblemAlert error={health.error} onRetry={() => void health.refetch()} />
      )}
      <QueryView query={health}>
        {({ status, checks }) => (
          <>
            <Overall status={status} />
            <Checks checks={checks} />
          </>
        )}
      </QueryView>
      {health.dataUpdatedAt > 0 && (
        <Text size="sm" component="div">
          Checked <Time at={new Date(health.dataUpdatedAt).toISOString()} />, and again every 15 seconds.
        </Text>
      )}
    </Page>
  );
}
