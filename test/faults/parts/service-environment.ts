import { demoTenant } from '../../../packages/power-bi-emulator/demo-tenant.js';
import type { Stand } from './stand.js';

/** The variables of a replica: production mode, and everything it needs through the lines that can fail. */
export function environmentOf(stand: Stand): Record<string, string> {
  const { lines, secrets, keysFile } = stand;
  const upstream = `http://127.0.0.1:${lines.upstream.port}`;
  return {
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    PUBLIC_URL: 'https://vitrine.test',
    TRUST_PROXY: '127.0.0.1',
    DATABASE_URL: stand.urlOf(lines.postgres.port),
    REDIS_URL: `redis://127.0.0.1:${lines.redis.port}`,
    SMTP_URL: `smtp://127.0.0.1:${lines.smtp.port}`,
    JWT_KEYS_FILE: keysFile,
    SECRET_KEY: secrets.secretKey,
    ADMIN_EMAIL: secrets.admin.email,
    ADMIN_PASSWORD: secrets.admin.password,
    POWERBI_API_URL: upstream,
    POWERBI_AUTHORITY_URL: upstream,
    POWERBI_TENANT_ID: demoTenant.tenantId,
    POWERBI_CLIENT_ID: demoTenant.clientId,
    POWERBI_CLIENT_SECRET: demoTenant.clientSecret,
    SYNC_INTERVAL_MINUTES: '0',
    RATE_LIMIT_INVITATIONS_PER_HOUR: '0',
    LOG_LEVEL: 'info',
  };
}
