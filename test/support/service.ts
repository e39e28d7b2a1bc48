import type { NestExpressApplication } from '@nestjs/platform-express';
import { DataSource } from 'typeorm';
import { type RunningEmulator, startEmulator } from '@vitrine/power-bi-emulator';
import { AccessTokensService } from '../../src/auth/access-tokens.service.js';
import { SessionsService } from '../../src/auth/sessions/sessions.service.js';
import { DatabaseService } from '../../src/core/database/database.service.js';
import { AccountAcceptanceService } from '../../src/invitations/account-acceptance.service.js';
import { CacheInvalidationService } from '../../src/core/database/cache-invalidation.service.js';
import type { User } from '../../src/users/user.entity.js';
import type { WorkspaceRole } from '../../src/access/grants/grant.js';
import type { Workspace } from '../../src/workspaces/workspace.entity.js';
import { type Override, startApplication } from './application.js';
import { Client } from './client.js';
import { TestClock } from './clock.js';
import { createDatabase } from './database.js';
import { environmentFor } from './environment.js';
import { Factory, password } from './factory.js';
import { type Mailbox, startMailbox } from './mailbox.js';
import { until } from './until.js';

export interface Service {
  url: string;
  /** Its environment variables, for another process with the same dependencies. */
  environment: Record<string, string>;
  app: NestExpressApplication;
  /** Without a token. */
  api: Client;
  factory: Factory;
  clock: TestClock;
  mailbox: Mailbox;
  emulator: RunningEmulator;
  /** The emulator's control surface: `/__emulator/...`. */
  powerBi: Client;
  database: DataSource;
  /** Without a pooler, as the owner role. */
  databaseUrl: string;
  /** For a test that changed the catalogue or rights by direct SQL. */
  changed: () => void;
  /** Signed in as this user by their password. */
  signIn: (user: User) => Promise<Client>;
  /** In a session of this user, without their password: verifying one takes longer than ten requests. */
  as: (user: Pick<User, 'id'>) => Promise<Client>;
  /** A new platform admin. */
  asAdmin: () => Promise<Client>;
  /** A new user with this role in this workspace only. */
  asMember: (workspace: Workspace, role?: WorkspaceRole) => Promise<Client>;
  /** Runs a sync of the emulator's content. */
  sync: () => Promise<void>;
  /** Waits until no job is pending. */
  waitForJobs: () => Promise<void>;
  close: () => Promise<void>;
}

/** Starts the service with a new database, emulator and mailbox. */
export async function startService(
  variables: Record<string, string> = {},
  override?: Override,
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
  const application = await startApplication(environment, clock, override);
  const { app, url } = application;
  const database = app.get(DataSource);
  const changed = (): void => {
    app.get(CacheInvalidationService).dispatchLocal(new Map([['rights', undefined]]));
  };
  const factory = new Factory(database, changed);
  const api = new Client(url);
  const signIn = async ({ email }: User): Promise<Client> => {
    const { status, body } = await api.post<{ access_token: string }>('/api/auth/token', { email, password });
    if (status !== 200) throw new Error(`Could not sign in: ${JSON.stringify(body)}`);
    return new Client(url, body.access_token);
  };
  const as = async ({ id }: Pick<User, 'id'>): Promise<Client> => {
    const sessions = app.get(SessionsService);
    const session = await app.get(DatabaseService).transaction((tx) => sessions.open(tx, id, 'password'));
    await app.get(AccountAcceptanceService).attempt(id);
    return new Client(url, await app.get(AccessTokensService).issue(id, session.id));
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
  const waitForJobs = async (): Promise<void> => {
    await until(async () => {
      const [{ left }] = await database.query(
        `SELECT count(*)::int AS left FROM pgboss.job WHERE state < 'completed' AND name NOT LIKE '\\_\\_%'`,
      );
      return left === 0;
    });
  };
  const close = async (): Promise<void> => {
    try {
      await application.close();
    } finally {
      await Promise.all([emulator.close(), mailbox.close(), testDatabase.drop()]);
    }
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
    signIn,
    as,
    asAdmin,
    asMember,
    sync,
    waitForJobs,
    close,
  };
}
