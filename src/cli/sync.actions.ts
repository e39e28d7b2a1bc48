import { setTimeout as sleep } from 'node:timers/promises';
import type { INestApplicationContext } from '@nestjs/common';
import { CatalogueSyncService } from '../catalogue/catalogue-sync.service.js';
import { SyncRunDto } from '../catalogue/dto/sync-run.dto.js';
import type { SyncRun } from '../catalogue/sync-run.entity.js';
import { SyncsService } from '../catalogue/syncs.service.js';
import { withOwnDeadline } from '../core/http/request-context.js';
import { JobsService } from '../platform/jobs/jobs.service.js';
import { exitCodes } from './exit-codes.js';
import { action } from './service.js';
import { systemActor } from './system-actor.js';

const POLL_INTERVAL_MS = 200;

const lineOf = ({ status, workspacesSeen, workspacesFailed, reportsSeen, changes, calls }: SyncRun): string =>
  `Sync ${status}: ${workspacesSeen} workspaces (${workspacesFailed} failed), ${reportsSeen} reports, ` +
  `${changes} changes, ${calls} calls`;

/** Power BI returns no total in advance, so the line shows the counts so far. */
async function waitForSync(app: INestApplicationContext, id: string): Promise<SyncRun> {
  const syncs = app.get(SyncsService);
  const isTerminal = process.stderr.isTTY;
  for (;;) {
    const run = await withOwnDeadline(() => syncs.get(id));
    if (isTerminal) process.stderr.write(`\r\u001B[K${lineOf(run)}`);
    if (run.finishedAt !== null) {
      if (isTerminal) process.stderr.write('\r\u001B[K');
      return run;
    }
    await sleep(POLL_INTERVAL_MS);
  }
}

export const sync = action(async (app) => {
  const jobs = app.get(JobsService);
  const sync = app.get(CatalogueSyncService);
  await jobs.start();
  const { id } = await app.get(SyncsService).request(await systemActor(app));
  // Runs the job here in case no service is running; otherwise the first free worker takes it.
  await jobs.work<{ run_id: string }>('catalogue_sync', ({ run_id }, { isLast }) => sync.run(run_id, isLast));
  const run = await waitForSync(app, id);
  const errors = run.errors.map(
    ({ pbi_workspace_id, detail }) => `\n  ${pbi_workspace_id ?? 'all'}: ${detail}`,
  );
  if (run.status !== 'succeeded') process.exitCode = exitCodes.failed;
  sync.stop();
  return [SyncRunDto.from(run), lineOf(run) + errors.join('')];
});
