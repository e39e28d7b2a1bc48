// Plain JavaScript, like the runner and the configuration that use it.
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';

const env = { PATH: `${process.env.PATH}:/usr/sbin:/sbin` };
const works = (command, ...args) => spawnSync(command, args, { env }).status === 0;
const isInstalled = (program) => works('which', program);

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
  return Object.entries(obstacles)
    .map(([file, obstacle]) => ({ file, reason: obstacle() }))
    .filter(({ reason }) => reason !== undefined);
}
