import { Alert, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconCircleX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { t } from 'i18next';
import { Trans } from 'react-i18next';
import { api, read } from '../../api/client.js';
import type { components } from '../../api/schema.js';
import { Page } from '../../components/page.js';
import { ProblemAlert } from '../../components/states.js';
import { QueryView } from '../../components/query-view.js';
import { Time } from '../../components/time.js';
import { msg } from '../../i18n/index.js';
import { isAdmin, useMe } from '../../session/use-session.js';
import { Checks } from './checks.js';
import { SignInRules } from './sign-in-rules.js';

type Status = components['schemas']['HealthDto']['status'];

/** As long as the service caches its checks. */
const INTERVAL_MS = 15_000;

const overall: Record<Status, { title: string; color: string; icon: typeof IconCircleCheck }> = {
  ok: { title: msg('All systems operational'), color: 'teal', icon: IconCircleCheck },
  degraded: { title: msg('Some systems are degraded'), color: 'orange', icon: IconAlertTriangle },
  down: { title: msg('The portal is unavailable'), color: 'red', icon: IconCircleX },
};

function Overall({ status }: { status: Status }) {
  const { title, color, icon: Icon } = overall[status];
  return <Alert color={color} title={t(title)} icon={<Icon aria-hidden />} role="status" />;
}

export function Component() {
  const { data: me } = useMe();
  const health = useQuery({
    queryKey: ['health'],
    queryFn: ({ signal }) => read(api.GET('/api/health', { signal })),
    refetchInterval: INTERVAL_MS,
    staleTime: 0,
  });
  return (
    <Page title={t('System status')} lead={t('Status of the portal and the services that it depends on.')}>
      {health.data !== undefined && health.error !== null && (
        <ProblemAlert error={health.error} onRetry={() => void health.refetch()} />
      )}
      <QueryView query={health}>
        {({ status, checks }) => (
          <>
            <Overall status={status} />
            <Checks checks={checks} />
            {isAdmin(me) && <SignInRules />}
          </>
        )}
      </QueryView>
      {health.dataUpdatedAt > 0 && (
        <Text size="sm" component="div">
          <Trans
            i18nKey="Last checked <time/>. Updates every 15 seconds."
            components={{ time: <Time at={new Date(health.dataUpdatedAt).toISOString()} /> }}
          />
        </Text>
      )}
    </Page>
  );
}
