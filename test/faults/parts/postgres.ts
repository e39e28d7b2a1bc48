import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, chmodSync, chownSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { type Account, serverAccount } from '../../../local/account.js';
import { freePort } from '../../../local/free-port.js';
import { until } from '../../support/until.js';
import { Child } from './child.js';

const debian = '/usr/lib/postgresql';
const needed = ['initdb', 'postgres', 'pg_basebackup', 'pg_ctl'];

/** Debian's PostgreSQL: the npm package has no `pg_basebackup`, which the standby requires. Throws with advice. */
export function findPostgres(): string {
  const versions = existsSync(debian) ? readdirSync(debian).toSorted((a, b) => Number(b) - Number(a)) : [];
  const folder = versions
    .map((version) => join(debian, version, 'bin'))
    .find((bin) => needed.every((program) => existsSync(join(bin, program))));
  if (folder !== undefined) return folder;
  throw new Error(
    `The fault suite needs a PostgreSQL server with ${needed.join(', ')} below ${debian}: apt-get install postgresql`,
  );
}

/** Longer than initdb or a base backup takes. */
const PROGRAM_MS = 120_000;

export class PostgresServer {
  child?: Child;

  constructor(
    readonly name: string,
    private readonly bin: string,
    private readonly folder: string,
    readonly port: number,
    private readonly account: Account,
  ) {}

  get data(): string {
    return join(this.folder, this.name);
  }

  /** Starts the server and waits until it accepts connections. */
  async start(): Promise<void> {
    this.child = Child.start({
      name: this.name,
      command: join(this.bin, 'postgres'),
      args: ['-D', this.data],
      ...this.account,
      cwd: this.folder,
      env: {},
      log: join(this.folder, `${this.name}.log`),
    });
    await until(() => this.responses(), 60);
  }

  run(program: string, args: string[], env: Record<string, string> = {}): void {
    execFileSync(join(this.bin, program), args, {
      ...this.account,
      cwd: this.folder,
      env,
      stdio: 'pipe',
      timeout: PROGRAM_MS,
      killSignal: 'SIGKILL',
    });
  }

  configure(lines: string[]): void {
    appendFileSync(join(this.data, 'postgresql.conf'), `${lines.join('\n')}\n`);
  }

  responses(): boolean {
    const args = ['-h', '127.0.0.1', '-p', String(this.port), '-q'];
    return spawnSync(join(this.bin, 'pg_isready'), args, { env: {} }).status === 0;
  }
}

const settings = (port: number, folder: string): string[] => [
  `port = ${port}`,
  "listen_addresses = '127.0.0.1'",
  `unix_socket_directories = '${folder}'`,
  'max_connections = 100',
  'shared_buffers = 32MB',
  'wal_level = replica',
  'hot_standby = on',
];

export interface DatabasePair {
  primary: PostgresServer;
  standby: PostgresServer;
  password: string;
  /** As the superuser, without a proxy; on the primary by default. */
  admin: <T>(work: (client: Client) => Promise<T>, at?: PostgresServer) => Promise<T>;
  /** Makes the standby the primary. */
  promote: () => void;
  stop: () => Promise<void>;
}

const connection = { host: '127.0.0.1', user: 'postgres', connectionTimeoutMillis: 10_000 };

/** A primary whose commits wait for its streaming standby. */
export async function startDatabases(folder: string, password: string): Promise<DatabasePair> {
  const bin = findPostgres();
  const account = serverAccount(folder);
  mkdirSync(folder, { recursive: true });
  if (account.uid !== undefined && account.gid !== undefined) chownSync(folder, account.uid, account.gid);
  chmodSync(folder, 0o700);
  const primary = new PostgresServer('primary', bin, folder, await freePort(), account);
  const standby = new PostgresServer('standby', bin, folder, await freePort(), account);
  primary.run('initdb', ['-D', primary.data, '-U', 'postgres', '--auth=trust', '-E', 'UTF8', '--no-sync']);
  primary.configure([...settings(primary.port, folder), "synchronous_standby_names = 'standby'"]);
  await primary.start();
  const source = `host=127.0.0.1 port=${primary.port} user=postgres application_name=standby`;
  standby.run('pg_basebackup', ['-D', standby.data, '-d', source, '-R', '-c', 'fast', '-X', 'stream']);
  standby.configure([...settings(standby.port, folder), "synchronous_standby_names = ''"]);
  await standby.start();
  let first = primary;
  const admin: DatabasePair['admin'] = async (work, at = first) => {
    const client = new Client({ ...connection, port: at.port, database: 'vitrine' });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  };
  const setUp = new Client({ ...connection, port: primary.port, database: 'postgres' });
  await setUp.connect();
  await setUp.query(`CREATE ROLE vitrine LOGIN PASSWORD '${password}'`);
  await setUp.query('CREATE DATABASE vitrine OWNER vitrine');
  await setUp.end();
  const stop = async (): Promise<void> => {
    await standby.child?.stop('SIGINT');
    await primary.child?.stop('SIGQUIT');
  };
  const promote = (): void => {
    first = standby;
  };
  return {
    get primary() {
      return first;
    },
    standby,
    password,
    admin,
    promote,
    stop,
  };
}
