import { demoTenant } from '@vitrine/power-bi-emulator';
import type { Cluster } from './cluster.js';

/** The variables of a replica: production mode, with each dependency behind a fault proxy. */
export function environmentOf(cluster: Cluster): Record<string, string> {
  const { proxies, secrets, keysFile } = cluster;
  const upstream = `http://127.0.0.1:${proxies.upstream.port}`;
  return {
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    PUBLIC_URL: 'https://vitrine.test',
    TRUST_PROXY: '127.0.0.1',
    DATABASE_URL: cluster.urlOf(proxies.postgres.port),
    REDIS_URL: `redis://127.0.0.1:${proxies.redis.port}`,
    SMTP_URL: `smtp://127.0.0.1:${proxies.smtp.port}`,
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
