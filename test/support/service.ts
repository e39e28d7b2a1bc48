import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test, type TestingModuleBuilder } from '@nestjs/testing';
import { DataSource } from 'typeorm';
import { type RunningEmulator, startEmulator } from '../../packages/power-bi-emulator/server.js';
import { AppModule } from '../../src/app.module.js';
import { Clock } from '../../src/core/clock.js';
import { StartupTasks } from '../../src/core/lifecycle/startup-tasks.service.js';
import { Config } from '../../src/core/config/config.js';
import { applicationOptions, configureApp } from '../../src/configure-app.js';
import { CacheInvalidationService } from '../../src/core/database/cache-invalidation.service.js';
import { HardenedExpressAdapter } from '../../src/core/http/hardened-express.adapter.js';
import type { User } from '../../src/users/user.entity.js';
import type { WorkspaceRole } from '../../src/workspaces/membership.entity.js';
import type { Workspace } from '../../src/workspaces/workspace.entity.js';
import { Client } from './client.js';
import { TestClock } from './clock.js';
import { guardConnections, requireNoBreach } from './connection-guard.js';
import { createDatabase } from './database.js';
import { environmentFor } from './environment.js';
import { Factory, password } from './factory.js';
import { type Mailbox, startMailbox } from './mailbox.js';
import { until } from './until.js';

export interface Service {
  url: string;
  /** Its variables, for another process that shares its parts. */
  environment: Record<string, string>;
  app: NestExpressApplication;
  /** As nobody. */
  api: Client;
  factory: Factory;
  clock: TestClock;
  mailbox: Mailbox;
  emulator: RunningEmulator;
  /** The emulator's control surface: `/__emulator/...`. */
  powerBi: Client;
  database: DataSource;
  /** Past any pooler, as its owner. */
  databaseUrl: string;
  /** For a test that changed the catalogue or somebody's rights past the service. */
  changed: () => void;
  /** Signed in as this person, by password. */
  as: (user: User) => Promise<Client>;
  /** Somebody new who is a platform admin. */
  asAdmin: () => Promise<Client>;
  /** Somebody new who has this role in this workspace and nothing else. */
  asMember: (workspace: Workspace, role?: WorkspaceRole) => Promise<Client>;
  /** Brings the emulator's content in, as a sync that an admin asked for. */
  sync: () => Promise<void>;
  /** Waits until no job is left to do. */
  jobsDone: () => Promise<void>;
  close: () => Promise<void>;
}

/** The whole service with a database, an emulator and a mailbox of its own. */
export async function startService(
  variables: Record<string, string> = {},
  change: (testing: TestingModuleBuilder, config: Config) => void = () => undefined,
): Promise<Service> {
  const [testDatabase, emulator, mailbox] = await Promise.all([
    createDatabase(),
    startEmulator(),
    startMailbox(),
  ]);
  const parts = environmentFor({
    databaseUrl: testDatabase.url,
    emulatorUrl: emulator.url,
    smtpUrl: mailbox.url,
  });
  const environment = { ...parts, ...variables };
  const clock = new TestClock();
  const config = Config.load(environment);
  const building = Test.createTestingModule({ imports: [AppModule.forRoot(config)] })
    .overrideProvider(Clock)
    .useValue(clock);
  change(building, config);
  const testing = await building.compile();
  const app = testing.createNestApplication<NestExpressApplication>(
    new HardenedExpressAdapter(config),
    applicationOptions,
  );
  configureApp(app);
  await app.listen(0, '127.0.0.1');
  await app.get(StartupTasks).completed();
  const url = await app.getUrl();
  const database = app.get(DataSource);
  const breaches = guardConnections(database);
  const changed = (): void => {
    app.get(CacheInvalidationService).dispatchLocal(
      new Map([
        ['catalogue', undefined],
        ['rights', undefined],
      ]),
    );
  };
  const factory = new Factory(database, changed);
  const api = new Client(url);
  const as = async ({ email }: User): Promise<Client> => {
    const { status, body } = await api.post<{ access_token: string }>('/api/auth/token', { email, password });
    if (status !== 200) throw new Error(`Could not sign in: ${JSON.stringify(body)}`);
    return new Client(url, body.access_token);
  };
  const asAdmin = async (): Promise<Client> => as(await factory.admin());
  const asMember = async (workspace: Workspace, role?: WorkspaceRole): Promise<Client> => {
    const user = await factory.user();
    await factory.grant(user, workspace, role);
    return as(user);
  };
  const sync = async (): Promise<void> => {
    const admin = await asAdmin();
    const { body } = await admin.post<{ id: string }>('/api/syncs');
    await until(async () => {
      const run = await admin.get<{ finished_at: string | null }>(`/api/syncs/${body.id}`);
      return run.body.finished_at;
    });
  };
  const jobsDone = async (): Promise<void> => {
    await until(async () => {
      const [{ left }] = await database.query(
        `SELECT count(*)::int AS left FROM pgboss.job WHERE state < 'completed' AND name NOT LIKE '\\_\\_%'`,
      );
      return left === 0;
    });
  };
  const close = async (): Promise<void> => {
    await app.close();
    await Promise.all([emulator.close(), mailbox.close(), testDatabase.drop()]);
    requireNoBreach(breaches());
  };
  const powerBi = new Client(emulator.url);
  return {
    url,
    environment,
    app,
    api,
    factory,
    clock,
    mailbox,
    emulator,
    powerBi,
    database,
    databaseUrl: testDatabase.url,
    changed,
    as,
    asAdmin,
    asMember,
    sync,
    jobsDone,
    close,
  };
}
