import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from 'redis';
import { freePort } from '../../../local/free-port.js';
import { migrateDatabase } from '../../../src/core/database/migrate-database.js';
import { makeSigningKey } from '../../support/signing-key.js';
import { until } from '../../support/until.js';
import { Balancer } from './balancer.js';
import { Child, type Exit } from './child.js';
import { EmulatorControl } from './emulator-control.js';
import { FaultProxy } from './fault-proxy.js';
import { MailSink } from './mail-sink.js';
import { startNginx } from './nginx.js';
import { type Disk, mountDisk } from './disk.js';
import { type DatabasePair, startDatabases } from './postgres.js';
import { environmentOf } from './service-environment.js';

export interface Replica {
  name: string;
  child: Child;
  port: number;
  url: string;
}

/** Options of the cluster. */
export interface ClusterOptions {
  replicas: number;
  /** Further variables of the service. */
  env: Record<string, string>;
  /** Folder of the built service: `dist`, or a mutant. */
  dist: string;
  node: string[];
  /** Requests go through nginx with the shipped file instead of the balancer. */
  nginx?: boolean;
  /** Megabytes of a separate file system for PostgreSQL. */
  disk?: number;
}

export interface Secrets {
  admin: { email: string; password: string };
  database: string;
  secretKey: string;
}

const isReady = (url: string): Promise<boolean> =>
  fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2000) }).then(
    async (response) => (await response.arrayBuffer(), response.ok),
    () => false,
  );

/** Replicas, balancer and dependencies, each a separate process behind a fault proxy. */
export class Cluster {
  /** The clusters that are not stopped yet. */
  static readonly running = new Set<Cluster>();
  readonly replicas: Replica[] = [];
  readonly children: Child[] = [];
  readonly secrets: Secrets = {
    admin: { email: 'root@faults.example', password: `admin-${randomBytes(18).toString('base64url')}` },
    database: randomBytes(18).toString('base64url'),
    secretKey: randomBytes(32).toString('base64url'),
  };
  readonly folder = mkdtempSync(join(tmpdir(), 'vitrine-faults-'));
  readonly options: ClusterOptions;
  databases!: DatabasePair;
  emulator!: EmulatorControl;
  mail!: MailSink;
  balancer!: Balancer;
  proxies!: { postgres: FaultProxy; redis: FaultProxy; upstream: FaultProxy; smtp: FaultProxy };
  disk?: Disk;
  redis!: Child;
  /** Where requests are sent. */
  url!: string;
  keysFile = join(this.folder, 'keys.json');

  private constructor(options: ClusterOptions) {
    this.options = options;
  }

  static async start(options: ClusterOptions): Promise<Cluster> {
    const cluster = new Cluster(options);
    Cluster.running.add(cluster);
    try {
      await cluster.startAll();
    } catch (error) {
      await cluster.stop();
      throw error;
    }
    return cluster;
  }

  /** Stops the replicas first, so that their exit is not affected by the end of the dependencies. */
  async stop(): Promise<Exit[]> {
    Cluster.running.delete(this);
    const service = await Promise.all(this.replicas.map(({ child }) => child.stop()));
    await this.balancer?.close();
    await this.mail?.close();
    await Promise.all(Object.values(this.proxies ?? {}).map((line) => line.down()));
    await Promise.all(this.children.map((child) => child.stop()));
    await this.databases?.stop();
    return service;
  }

  remove(): void {
    this.disk?.unmount();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Starts a replica, or restarts the one with this name. */
  async startReplica(name: string, extra: Partial<ClusterOptions> = {}, waits = true): Promise<Replica> {
    const replica = this.launch(name, await this.portOf(name), extra);
    if (waits) await until(() => isReady(replica.url), 60);
    return replica;
  }

  launch(name: string, port: number, extra: Partial<ClusterOptions> & { blocked?: boolean } = {}): Replica {
    const { dist, node, env } = { ...this.options, ...extra };
    const child = Child.start({
      name,
      command: process.execPath,
      args: [...node, join(dist, 'src/main.js')],
      env: { ...environmentOf(this), ...env, PORT: String(port) },
      log: this.logOf(name),
      blocked: extra.blocked ?? false,
    });
    const replica = { name, child, port, url: `http://127.0.0.1:${port}` };
    const index = this.replicas.findIndex((each) => each.name === name);
    if (index >= 0) this.replicas.splice(index, 1, replica);
    else this.replicas.push(replica);
    const others = this.balancer.backends.filter((backend) => backend.name !== name);
    this.balancer.backends = [...others, { name, url: replica.url, ready: false }];
    return replica;
  }

  /** Restarts a replica with the same name and port. */
  restart(replica: Replica, waits = true): Promise<Replica> {
    return this.startReplica(replica.name, {}, waits);
  }

  logOf(name: string): string {
    return join(this.folder, `${name}.log`);
  }

  async startRedis(port: number): Promise<Child> {
    const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', this.folder];
    const child = Child.start({ name: 'redis', command: 'redis-server', args, log: this.logOf('redis') });
    this.children.push(child);
    await until(() => this.sendToRedis(port, 'PING').catch(() => null), 20);
    return child;
  }

  /** Without the proxy. */
  async sendToRedis(port: number, ...command: string[]): Promise<unknown> {
    const client = createClient({ url: `redis://127.0.0.1:${port}`, socket: { reconnectStrategy: false } });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return await client.sendCommand(command);
    } finally {
      client.destroy();
    }
  }

  private async portOf(name: string): Promise<number> {
    return this.replicas.find((replica) => replica.name === name)?.port ?? freePort();
  }

  private async startAll(): Promise<void> {
    chmodSync(this.folder, 0o711);
    this.renewKeys(['one']);
    mkdirSync(join(this.folder, 'postgres'));
    if (this.options.disk !== undefined)
      this.disk = mountDisk(join(this.folder, 'postgres'), this.options.disk);
    const redisPort = await freePort();
    const [databases, , emulator, mail] = await Promise.all([
      startDatabases(join(this.folder, 'postgres'), this.secrets.database),
      this.startRedis(redisPort).then((redis) => (this.redis = redis)),
      this.startEmulator(),
      MailSink.start(),
    ]);
    this.databases = databases;
    this.emulator = emulator;
    this.mail = mail;
    await migrateDatabase({ url: this.urlOf(databases.primary.port) });
    this.proxies = {
      postgres: await FaultProxy.start(databases.primary.port),
      redis: await FaultProxy.start(redisPort),
      upstream: await FaultProxy.start(Number(new URL(emulator.url).port)),
      smtp: await FaultProxy.start(mail.port),
    };
    this.balancer = await Balancer.start();
    // The first replica creates the admin.
    for (let index = 1; index <= this.options.replicas; index += 1) {
      await this.startReplica(`replica-${index}`, {}, index === this.options.replicas);
    }
    await until(
      async () => (await Promise.all(this.replicas.map(({ url }) => isReady(url)))).every(Boolean),
      60,
    );
    await until(() => this.balancer.backends.every(({ ready }) => ready), 20);
    this.url = this.options.nginx ? await startNginx(this) : this.balancer.url;
  }

  renewKeys(names: string[]): void {
    this.keys = [...names.map(makeSigningKey), ...this.keys];
    writeFileSync(this.keysFile, JSON.stringify({ keys: this.keys }), { mode: 0o600 });
  }

  private keys: object[] = [];

  private async startEmulator(): Promise<EmulatorControl> {
    const port = await freePort();
    const main = join(this.options.dist, 'packages/power-bi-emulator/main.js');
    const child = Child.start({
      name: 'emulator',
      command: process.execPath,
      args: [main, '--port', String(port)],
      env: {},
      log: this.logOf('emulator'),
    });
    this.children.push(child);
    const control = new EmulatorControl(`http://127.0.0.1:${port}`);
    await until(
      () =>
        control.content({ workspaces: 8, reports_per_workspace: 4 }).then(
          () => true,
          () => null,
        ),
      20,
    );
    return control;
  }

  urlOf(port: number): string {
    return `postgres://vitrine:${this.secrets.database}@127.0.0.1:${port}/vitrine`;
  }
}
