import { type Stats, statSync } from 'node:fs';
import type { INestApplicationContext } from '@nestjs/common';
import { timeout, TimeoutStrategy } from 'cockatiel';
import type { Client } from 'pg';
import { DataSource } from 'typeorm';
import { IdentityProviderService } from '../../auth/oidc/identity-provider.service.js';
import { Config } from '../../core/config/config.js';
import { checkClient } from '../../core/database/check-client.js';
import { execute } from '../../core/database/execute.js';
import { pendingMigrationsOf } from '../../core/database/pending-migrations.js';
import { isReadOnly, unsafeSettings } from '../../core/database/server-settings.js';
import { MailService } from '../../platform/mail/mail.service.js';
import { failed, type Finding, messageOf, ok, warning } from './finding.js';

const MIN_POSTGRES_VERSION = 150_000;
const REDIS_MS = 3000;

export async function database(app: INestApplicationContext): Promise<Finding> {
  try {
    const source = await app.get(DataSource).initialize();
    const { rows } = await execute<{ number: number; version: string }>(
      source.manager,
      `SELECT current_setting('server_version_num')::int AS number, current_setting('server_version') AS version`,
      [],
    );
    const { number = 0, version } = rows[0] ?? {};
    if (number < MIN_POSTGRES_VERSION) {
      return failed('database', `PostgreSQL ${version} is too old.`, 'Use PostgreSQL 15 or newer.');
    }
    if (!(await isReadOnly(source))) return ok('database', `Connected to PostgreSQL ${version}.`);
    const advice =
      'Promote the standby, point DATABASE_URL to the primary, or turn off default_transaction_read_only.';
    return failed('database', 'PostgreSQL is read-only: changes and sign-ins fail.', advice);
  } catch (error) {
    const advice =
      'Check DATABASE_URL, and that the server is running and accepts connections from this host.';
    return failed('database', messageOf(error), advice);
  }
}

/** A warning only: without this connection the service caches nothing and polls for jobs. */
export async function directConnection(app: INestApplicationContext): Promise<Finding[]> {
  const { url, directUrl } = app.get(Config).database;
  if (directUrl === url) return [];
  let client: Client | undefined;
  try {
    client = checkClient({ connectionString: directUrl });
    await client.connect();
    return [];
  } catch (error) {
    return [warning('database_direct', messageOf(error), 'Check DATABASE_DIRECT_URL.')];
  } finally {
    void client?.end().catch(() => undefined);
  }
}

export async function migrations(app: INestApplicationContext): Promise<Finding> {
  const pending = await pendingMigrationsOf(app.get(DataSource));
  if (pending.length === 0) return ok('migrations', 'The schema is up to date.');
  const advice =
    'Run `node bin/vitrine.js migrate` as the migration job, or start the service with DATABASE_MIGRATION_URL.';
  return failed('migrations', 'Migrations are pending: the service does not become ready.', advice);
}

/** Warnings, not failures: the service runs with unsafe settings, which matter only in an incident. */
export async function databaseSettings(app: INestApplicationContext): Promise<Finding[]> {
  const unsafe = await unsafeSettings(app.get(DataSource));
  if (unsafe.length === 0) return [ok('database_settings', 'Durability and timeouts are configured.')];
  return unsafe.map(({ detail, advice }) => warning('database_settings', detail, advice));
}

/**
 * Loading the configuration already verified that the keys are readable and usable; this checks the file permissions.
 */
export function keys(app: INestApplicationContext): Finding {
  const { file, read } = app.get(Config).auth.signingKeys;
  const { length } = read();
  const groups = [process.getgid?.(), ...(process.getgroups?.() ?? [])];
  const mode = saferMode(statSync(file), { uid: process.getuid?.(), groups });
  if (mode === undefined) return ok('keys', `${length} key(s); the first one signs.`);
  return warning('keys', `Other users can read ${file}.`, `chmod ${mode} ${file}`);
}

/**
 * The mode that a file with secrets should have; undefined if no other user has access. The process reads a file of another owner, such
 * as a mounted Secret of Kubernetes, through its group.
 */
export function saferMode(
  { mode, uid, gid }: Pick<Stats, 'mode' | 'uid' | 'gid'>,
  reader: { uid: number | undefined; groups: readonly (number | undefined)[] },
): string | undefined {
  const isReadByGroup = uid !== reader.uid && reader.groups.includes(gid);
  if ((mode & (isReadByGroup ? 0o037 : 0o077)) === 0) return undefined;
  return isReadByGroup ? '640' : '600';
}

export async function smtp(app: INestApplicationContext): Promise<Finding> {
  const mailer = app.get(MailService);
  if (!mailer.configured) {
    return warning(
      'smtp',
      'Email is not configured: administrators must share links themselves.',
      'Set SMTP_URL to send emails.',
    );
  }
  try {
    await mailer.verify();
    return ok('smtp', 'The SMTP server is reachable and accepts the credentials.');
  } catch (error) {
    return failed('smtp', messageOf(error), 'Check SMTP_URL: host, port, user and password.');
  }
}

/** A warning only: without Redis attempts are counted in PostgreSQL, and other requests by each replica. */
export async function redis(app: INestApplicationContext): Promise<Finding[]> {
  const { redisUrl } = app.get(Config).limits;
  if (redisUrl === undefined) return [];
  const { createClient } = await import('redis');
  const client = createClient({ url: redisUrl, socket: { reconnectStrategy: false } });
  client.on('error', () => undefined);
  try {
    await timeout(REDIS_MS, TimeoutStrategy.Aggressive).execute(async () => {
      await client.connect();
      await client.ping();
    });
    return [ok('redis', 'Redis is reachable and accepts the credentials.')];
  } catch (error) {
    const advice = 'Check REDIS_URL: host, port, user and password.';
    return [warning('redis', messageOf(error), advice)];
  } finally {
    if (client.isOpen) client.destroy();
  }
}

/** Its metadata only: the provider verifies the client secret when a user signs in. */
export async function identityProvider(app: INestApplicationContext): Promise<Finding[]> {
  const provider = app.get(IdentityProviderService, { strict: false });
  if (!provider.isConfigured) return [];
  try {
    await provider.metadata();
    return [ok('identity_provider', 'The metadata of the identity provider are available.')];
  } catch (error) {
    const advice =
      'Check OIDC_ISSUER: it is exactly the issuer of the metadata, and reachable from this host.';
    return [failed('identity_provider', messageOf(firstCause(error)), advice)];
  }
}

const firstCause = (error: unknown): unknown =>
  error instanceof Error && error.cause instanceof Error ? firstCause(error.cause) : error;
