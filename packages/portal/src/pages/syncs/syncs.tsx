import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { IconRefresh } from '@tabler/icons-react';
import { t } from 'i18next';
import { api, read } from '../../api/client.js';
import { queryClient } from '../../api/query-client.js';
import { ListView } from '../../components/list-view.js';
import { notifyDone, notifyProblem } from '../../components/notify.js';
import { Page } from '../../components/page.js';
import { Empty } from '../../components/states.js';
import { useParameter } from '../../components/use-parameter.js';
import { ActiveSyncs } from './progress.js';
import { SyncDrawer } from './sync-drawer.js';
import { SyncTable } from './sync-table.js';
import type { SyncRun } from './sync-texts.js';
import { useSyncs } from './use-syncs.js';

/** A queued sync serves all requests, and a running one is followed by another. */
function messageFor(run: SyncRun, active: SyncRun[]): string {
  if (active.some(({ id }) => id === run.id)) return t('A sync is already queued.');
  if (active.length > 0) return t('Sync queued. It starts when the current one finishes.');
  return t('Sync started.');
}

function SyncNow({ active }: { active: SyncRun[] }) {
  const start = useMutation({
    mutationFn: () => read(api.POST('/api/syncs')),
    onSuccess: (run) => {
      notifyDone(messageFor(run, active));
      return queryClient.invalidateQueries({ queryKey: ['syncs'] });
    },
    onError: notifyProblem,
  });
  return (
    <Button
      leftSection={<IconRefresh size={18} aria-hidden />}
      loading={start.isPending}
      onClick={() => start.mutate()}
    >
      {t('Sync now')}
    </Button>
  );
}

export function Component() {
  const [run, setRun] = useParameter('run');
  const list = useSyncs();
  const last = list.rows?.find(({ status }) => status === 'succeeded');
  return (
    <Page
      title={t('Syncs')}
      lead={t('Copies workspaces, reports and datasets from Power BI, on a schedule or on demand.')}
      actions={<SyncNow active={list.active} />}
    >
      <ActiveSyncs runs={list.active} last={last} />
      <ListView
        list={list}
        empty={
          <Empty title={t('No syncs yet')}>
            {t('Start a sync to load your workspaces and reports from Power BI.')}
          </Empty>
        }
      >
        {(runs) => <SyncTable runs={runs} />}
      </ListView>
      {run !== null && <SyncDrawer id={run} last={last} onClose={() => setRun(null)} />}
    </Page>
  );
}
