// Plain JavaScript, like the runner and the configuration that use it.
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';

const env = { PATH: `${process.env.PATH}:/usr/sbin:/sbin` };
const works = (command, ...args) => spawnSync(command, args, { env }).status === 0;
const isInstalled = (program) => works('which', program);

/** The steps of `.ci/run full`. */
const isFull = ['TEST_SIZE', 'TEST_PGBOUNCER', 'TEST_HOST'].some((name) => process.env[name] !== undefined);

/** Files that start several processes, fill a large database or wait for real time. `.ci/run full` runs them. */
export const onlyInFull = [
  'test/auth-guessing-replicas.e2e-spec.ts',
  'test/backup.e2e-spec.ts',
  'test/catalogue/large.e2e-spec.ts',
  'test/catalogue/takeover.e2e-spec.ts',
  'test/docs/commands.e2e-spec.ts',
  'test/exports/failures.e2e-spec.ts',
  'test/host/pooler-restart.e2e-spec.ts',
  'test/identity/replicas.e2e-spec.ts',
  'test/jest/runner.spec.ts',
  'test/life-cycle/health.e2e-spec.ts',
  'test/life-cycle/last-resort.e2e-spec.ts',
  'test/life-cycle/replaced-files.e2e-spec.ts',
  'test/life-cycle/stop.e2e-spec.ts',
  'test/local/demo-data.e2e-spec.ts',
  'test/local/durability.e2e-spec.ts',
  'test/local/folder.e2e-spec.ts',
  'test/local/postgres.e2e-spec.ts',
  'test/local/restart.e2e-spec.ts',
  'test/local/variables.e2e-spec.ts',
  'test/migrations.e2e-spec.ts',
  'test/overload/database.e2e-spec.ts',
  'test/overload/failover.e2e-spec.ts',
  'test/overload/members.e2e-spec.ts',
  'test/overload/slow-clients.e2e-spec.ts',
  'test/plans.e2e-spec.ts',
  'test/power-bi/shared-pauses.e2e-spec.ts',
  'test/run.e2e-spec.ts',
  'test/tracing/traces.e2e-spec.ts',
  'test/usage/rollup.e2e-spec.ts',
  'test/webhooks/replicas.e2e-spec.ts',
];

/** Files that need more than `npm ci` installs: why each cannot run here, or undefined. */
const obstacles = {
  'test/backup.e2e-spec.ts': () =>
    globSync('/usr/lib/postgresql/*/bin/initdb').length > 0 ? undefined : 'apt-get install postgresql',
  'test/host/documents.e2e-spec.ts': () => 'set TEST_HOST=1; it takes minutes, root and namespaces',
  'test/host/nginx.e2e-spec.ts': () => (isInstalled('nginx') ? undefined : 'apt-get install nginx'),
  'test/host/pooler-restart.e2e-spec.ts': () =>
    isInstalled('pgbouncer') ? undefined : 'apt-get install pgbouncer',
  'test/life-cycle/first-process.e2e-spec.ts': () =>
    works('unshare', '--pid', '--fork', 'true') ? undefined : 'namespaces need root',
};

/** The test files that cannot run here. With TEST_HOST every one has to, and fails where it cannot. */
export function notRun() {
  if (process.env.TEST_HOST !== undefined) return [];
  const later = isFull
    ? []
    : onlyInFull.map((file) => ({ file, reason: 'set TEST_SIZE=full; it takes long' }));
  const impossible = Object.entries(obstacles)
    .map(([file, obstacle]) => ({ file, reason: obstacle() }))
    .filter(({ file, reason }) => reason !== undefined && !later.some((each) => each.file === file));
  return [...later, ...impossible];
}
