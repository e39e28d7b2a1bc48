import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { IconRefresh } from '@tabler/icons-react';
import { useSearchParams } from 'react-router';
import { api, read } from '../../api/client.js';
import { queryClient } from '../../api/query-client.js';
import { ListView } from '../../components/list-view.js';
import { notifyDone, notifyProblem } from '../../components/notify.js';
import { Page } from '../../components/page.js';
import { Empty } from '../../components/states.js';
import { AtWork } from './progress.js';
import { SyncDrawer } from './sync-drawer.js';
import { SyncTable } from './sync-table.js';
import type { SyncRun } from './sync-words.js';
import { useSyncs } from './use-syncs.js';

/** What asking came to: a sync that waits already does for everybody, and one that runs is followed by one more. */
function answerTo(run: SyncRun, atWork: SyncRun[]): string {
  if (atWork.some(({ id }) => id === run.id)) return 'A sync is waiting already: it does what you asked for.';
  if (atWork.length > 0) return 'A sync is running: another one follows as soon as it has ended.';
  return 'A sync was asked for.';
}

function SyncNow({ atWork }: { atWork: SyncRun[] }) {
  const ask = useMutation({
    mutationFn: () => read(api.POST('/api/syncs')),
    onSuccess: (run) => {
      notifyDone(answerTo(run, atWork));
      return queryClient.invalidateQueries({ queryKey: ['syncs'] });
    },
    onError: notifyProblem,
  });
  return (
    <Button
      leftSection={<IconRefresh size={18} aria-hidden />}
      loading={ask.isPending}
      onClick={() => ask.mutate()}
    >
      Sync now
    </Button>
  );
}

export function Component() {
  const [parameters, setParameters] = useSearchParams();
  const list = useSyncs();
  const run = parameters.get('run');
  const last = list.rows?.find(({ status }) => status === 'succeeded');
  return (
    <Page
      title="Syncs"
      lead="What Power BI has is copied here, on schedule and whenever you ask."
      actions={<SyncNow atWork={list.atWork} />}
    >
      <AtWork runs={list.atWork} last={last} />
      <ListView list={list} empty={<Empty title="No sync has run yet">Ask for the first one.</Empty>}>
        {(runs) => <SyncTable runs={runs} />}
      </ListView>
      {run !== null && <SyncDrawer id={run} last={last} onClose={() => setParameters({})} />}
    </Page>
  );
}
