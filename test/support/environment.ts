import { randomBytes } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { demoTenant } from '@vitrine/power-bi-emulator';
import { makeSigningKey } from './signing-key.js';

export { makeSigningKey };

const folder = mkdtempSync(join(tmpdir(), 'vitrine-keys-'));
const keysFile = join(folder, 'keys.json');
writeFileSync(keysFile, JSON.stringify({ keys: [makeSigningKey('test-1')] }), { mode: 0o600 });
const secretKey = randomBytes(32).toString('base64url');

export interface Parts {
  databaseUrl: string;
  emulatorUrl: string;
  smtpUrl?: string;
}

/** Replaces the server by the pooler of this run, if there is one. */
function pooled(databaseUrl: string): Record<string, string> {
  const { TEST_POOLER_URL: pooler, TEST_DATABASE_URL: server = '' } = process.env;
  const url = new URL(databaseUrl);
  if (pooler === undefined || url.host !== new URL(server).host) return { DATABASE_URL: databaseUrl };
  url.host = new URL(pooler).host;
  return { DATABASE_URL: url.href, DATABASE_DIRECT_URL: databaseUrl };
}

/** The environment variables of a service that uses these parts. */
export const environmentFor = ({ databaseUrl, emulatorUrl, smtpUrl }: Parts): Record<string, string> => ({
  PORT: '0',
  HOST: '127.0.0.1',
  PUBLIC_URL: 'https://vitrine.test',
  ...pooled(databaseUrl),
  JWT_KEYS_FILE: keysFile,
  SECRET_KEY: secretKey,
  POWERBI_API_URL: emulatorUrl,
  POWERBI_AUTHORITY_URL: emulatorUrl,
  POWERBI_TENANT_ID: demoTenant.tenantId,
  POWERBI_CLIENT_ID: demoTenant.clientId,
  POWERBI_CLIENT_SECRET: demoTenant.clientSecret,
  SYNC_INTERVAL_MINUTES: '0',
  RATE_LIMIT_INVITATIONS_PER_HOUR: '0',
  // Tests sign in often, from one address.
  RATE_LIMIT_SIGN_IN_PER_IP: '0',
  RATE_LIMIT_API_PER_MINUTE: '0',
  // Test and service share an event loop, on a machine with other load.
  SHED_LOOP_DELAY_MS: '0',
  SHED_LOOP_UTILIZATION_PERCENT: '100',
  SHUTDOWN_DELAY_SECONDS: '0',
  LOG_LEVEL: 'fatal',
  ...(smtpUrl !== undefined && { SMTP_URL: smtpUrl }),
});
