import type { DataSource } from 'typeorm';
import { execute } from './execute.js';

export interface Unsafe {
  detail: string;
  advice: string;
}

interface Row {
  fsync: string;
  synchronous_commit: string;
  full_page_writes: string;
  statement_timeout: string;
  lock_timeout: string;
  idle_in_transaction_session_timeout: string;
  owns: boolean;
}

const durable = ['fsync', 'synchronous_commit', 'full_page_writes'] as const;
const bounded = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'] as const;

const readSettings = `SELECT ${[...durable, ...bounded].map((name) => `current_setting('${name}') AS ${name}`).join(', ')},
  pg_has_role(current_user, (SELECT relowner FROM pg_class WHERE oid = 'audit_events'::regclass), 'MEMBER') AS owns`;

/** Returns settings of the service's session that are unsafe in production. None of them prevents the service from running. */
export async function unsafeSettings(source: DataSource): Promise<Unsafe[]> {
  const { rows } = await execute<Row>(source.manager, readSettings, []);
  const [row] = rows as [Row];
  const off = durable.filter((name) => row[name] === 'off');
  const missing = bounded.filter((name) => row[name] === '0');
  const found: Unsafe[] = [];
  if (off.length > 0) {
    const detail = `PostgreSQL may lose committed transactions: ${off.join(', ')} is off.`;
    found.push({ detail, advice: `Turn on: ${off.join(', ')}.` });
  }
  if (missing.length > 0) {
    const advice =
      'Run `node bin/vitrine.js migrate`, or deploy/sql/roles.sql if the owner cannot set it; then reconnect.';
    found.push({ detail: `The service's sessions have no timeout: ${missing.join(', ')}.`, advice });
  }
  if (row.owns) {
    const advice =
      'Use a separate role in DATABASE_URL (deploy/sql/roles.sql) and run `node bin/vitrine.js migrate`.';
    found.push({ detail: 'The service connects as the owner of its tables and can alter them.', advice });
  }
  return found;
}

/** Whether the server rejects writes, as a standby does. */
export async function isReadOnly({ manager }: DataSource): Promise<boolean> {
  const { rows } = await execute<{ value: string }>(
    manager,
    `SELECT current_setting('transaction_read_only') AS value`,
    [],
  );
  return rows[0]?.value === 'on';
}

const INVALID_PARAMETER = '22023';

/** PostgreSQL computes days in this time zone, and may have fewer ones than Node. Returns what is wrong if it lacks it. */
export async function missingTimeZone(source: DataSource, zone: string): Promise<Unsafe | undefined> {
  try {
    await execute(source.manager, 'SELECT now() AT TIME ZONE $1', [zone]);
    return undefined;
  } catch (error) {
    if ((error as { code?: string }).code !== INVALID_PARAMETER) throw error;
    const detail = `PostgreSQL has no time zone ${zone} (USAGE_TIME_ZONE): usage and expiry days fail.`;
    return { detail, advice: 'Use another name, or install its time zones (Debian: tzdata-legacy).' };
  }
}
