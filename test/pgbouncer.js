// Plain JavaScript, like the runner that uses it.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const PATH = `${process.env.PATH}:/usr/sbin`;

/** Named prepared statements go through a pooler of transactions from this version on. */
function keepsPreparedStatements() {
  const { stdout, error } = spawnSync('pgbouncer', ['--version'], { env: { PATH }, encoding: 'utf8' });
  if (error) throw new Error('TEST_PGBOUNCER needs pgbouncer: apt-get install pgbouncer');
  const [, major = '0', minor = '0'] = /PgBouncer (\d+)\.(\d+)/.exec(stdout) ?? [];
  return Number(major) > 1 || Number(minor) >= 21;
}

/** The file that is shipped, with the lines of `[databases]` and these settings replaced. */
export function shippedConfiguration(databases, settings) {
  const shipped = readFileSync(new URL('../deploy/pgbouncer/pgbouncer.ini', import.meta.url), 'utf8');
  const lines = shipped
    .split('\n')
    .filter((line) => !(line.split(' = ')[0] in settings) && !/^\w+ = host=/.test(line));
  const at = lines.indexOf('[databases]');
  const added = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
  return [...lines.toSpliced(at + 1, 0, ...databases), ...added, ''].join('\n');
}

/** Every database of the server, as whoever the address names: clients come from this machine only. */
function configuration(server, port, folder) {
  const password = decodeURIComponent(server.password).replaceAll("'", "''");
  const login = `user=${decodeURIComponent(server.username)}${password && ` password='${password}'`}`;
  return shippedConfiguration([`* = host=${server.hostname} port=${server.port || 5432} ${login}`], {
    listen_port: port,
    auth_type: 'any',
    auth_file: '',
    max_client_conn: 2000,
    default_pool_size: 15,
    server_idle_timeout: 5,
    // A database that is gone in the end must not keep its address taken.
    autodb_idle_timeout: 10,
    log_connections: 0,
    log_disconnections: 0,
    logfile: join(folder, 'pgbouncer.log'),
    ...(keepsPreparedStatements() && { max_prepared_statements: 100 }),
  });
}

const answers = (port) =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });

/**
 * PgBouncer in transaction mode in front of this server, its files in `folder`. `account` is whom it runs as: it refuses
 * to be root. `files` replace what is written there, by name.
 */
export async function startPgBouncer({ serverUrl, port, folder, account, files = {} }) {
  mkdirSync(folder);
  const file = join(folder, 'pgbouncer.ini');
  const written = { 'pgbouncer.ini': configuration(new URL(serverUrl), port, folder), ...files };
  for (const [name, text] of Object.entries(written))
    writeFileSync(join(folder, name), text, { mode: 0o600 });
  const paths = [folder, ...Object.keys(written).map((name) => join(folder, name))];
  if (account.uid !== undefined) for (const path of paths) chownSync(path, account.uid, account.gid);
  const pooler = spawn('pgbouncer', ['-q', file], {
    ...account,
    env: { PATH },
    detached: true,
    stdio: 'ignore',
  });
  const gone = once(pooler, 'exit');
  for (let look = 0; look < 200 && pooler.exitCode === null && !(await answers(port)); look += 1)
    await sleep(50);
  if (pooler.exitCode !== null) throw new Error(`pgbouncer did not start: see ${folder}`);
  const url = new URL(serverUrl);
  url.hostname = '127.0.0.1';
  url.port = String(port);
  return {
    url: url.href,
    stop: async () => {
      pooler.kill('SIGKILL');
      await gone;
    },
  };
}
