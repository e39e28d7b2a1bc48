import type { DataSourceOptions } from 'typeorm';
import { AbortableClient } from './abortable-client.js';
import { InitialSchema1798800000000 } from './migrations/1798800000000-initial-schema.js';
import { Grants1798810000000 } from './migrations/1798810000000-grants.js';
import { WorkspaceContact1798830000000 } from './migrations/1798830000000-workspace-contact.js';
import { EmbedRight1798850000000 } from './migrations/1798850000000-embed-right.js';
import { IssuedTokens1798860000000 } from './migrations/1798860000000-issued-tokens.js';
import { ClientSessions1798870000000 } from './migrations/1798870000000-client-sessions.js';
import { ViewersOfReport1798880000000 } from './migrations/1798880000000-viewers-of-report.js';
import { RecentReports1798890000000 } from './migrations/1798890000000-recent-reports.js';
import { ScimAddresses1798900000000 } from './migrations/1798900000000-scim-addresses.js';
import { AccessRequestTargets1798910000000 } from './migrations/1798910000000-access-request-targets.js';
import { AuditAddresses1798920000000 } from './migrations/1798920000000-audit-addresses.js';

/** In execution order. A released migration never changes. The first creates the whole schema: docs/decisions/one-initial-migration.md. */
export const migrations = [
  InitialSchema1798800000000,
  Grants1798810000000,
  WorkspaceContact1798830000000,
  EmbedRight1798850000000,
  IssuedTokens1798860000000,
  ClientSessions1798870000000,
  ViewersOfReport1798880000000,
  RecentReports1798890000000,
  ScimAddresses1798900000000,
  AccessRequestTargets1798910000000,
  AuditAddresses1798920000000,
];

/** Options for every database connection of the service. The schema changes by migration only. */
export const dataSourceOptions = (url: string, poolSize: number, prepares = false): DataSourceOptions => ({
  type: 'postgres',
  url,
  poolSize,
  migrations,
  migrationsTransactionMode: 'each',
  connectTimeoutMS: 2000,
  applicationName: 'vitrine',
  extra: {
    idleTimeoutMillis: 30_000,
    maxLifetimeSeconds: 1800,
    keepAlive: true,
    Client: AbortableClient,
    // Queries of a transaction that are sent without awaiting the previous result are pipelined; they execute in order.
    pipeline: true,
    // Read by `execute`.
    prepares,
  },
});
