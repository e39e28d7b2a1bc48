import type { DataSourceOptions } from 'typeorm';
import { AbortableClient } from './abortable-client.js';
import { InitialSchema1795000000000 } from './migrations/1795000000000-initial-schema.js';
import { RateLimits1795000200000 } from './migrations/1795000200000-rate-limits.js';
import { PasswordResets1795000300000 } from './migrations/1795000300000-password-resets.js';
import { AuditTrail1795010000000 } from './migrations/1795010000000-audit-trail.js';
import { ServiceAccounts1795010000001 } from './migrations/1795010000001-service-accounts.js';
import { IdempotencyKeys1795010000002 } from './migrations/1795010000002-idempotency-keys.js';
import { PlatformSignIn1795100000000 } from './migrations/1795100000000-platform-sign-in.js';
import { PowerBi1795300000000 } from './migrations/1795300000000-power-bi.js';
import { MovedReports1795300000001 } from './migrations/1795300000001-moved-reports.js';
import { SyncProgress1795400000000 } from './migrations/1795400000000-sync-progress.js';
import { ChangeEpochs1795500000000 } from './migrations/1795500000000-change-epochs.js';
import { NameSearch1795600000000 } from './migrations/1795600000000-name-search.js';
import { EmbedGrantPartitions1795700000000 } from './migrations/1795700000000-embed-grant-partitions.js';
import { ShortNameSearch1795800000000 } from './migrations/1795800000000-short-name-search.js';
import { VoidLinks1796400000000 } from './migrations/1796400000000-void-links.js';
import { ExchangedTokens1796400000001 } from './migrations/1796400000001-exchanged-tokens.js';
import { AccountInvitations1796400000002 } from './migrations/1796400000002-account-invitations.js';
import { OneNameSearch1797000000000 } from './migrations/1797000000000-one-name-search.js';
import { GrantsIndex1797090000000 } from './migrations/1797090000000-grants-index.js';
import { GroupsAndGrants1797100000000 } from './migrations/1797100000000-groups-and-grants.js';
import { InvitationAccess1797200000000 } from './migrations/1797200000000-invitation-access.js';
import { UserNames1797400000000 } from './migrations/1797400000000-user-names.js';
import { Usage1797500000000 } from './migrations/1797500000000-usage.js';
import { UsageReporting1797500000001 } from './migrations/1797500000001-usage-reporting.js';
import { UsagePeopleBits1797550000000 } from './migrations/1797550000000-usage-people-bits.js';
import { UsagePeopleBitsData1797550000001 } from './migrations/1797550000001-usage-people-bits-data.js';
import { Favourites1797600000000 } from './migrations/1797600000000-favourites.js';
import { ReportFreshness1797610000000 } from './migrations/1797610000000-report-freshness.js';
import { SavedViews1797620000000 } from './migrations/1797620000000-saved-views.js';
import { Exports1797700000000 } from './migrations/1797700000000-exports.js';
import { AccessRequests1797800000000 } from './migrations/1797800000000-access-requests.js';
import { Branding1797810000000 } from './migrations/1797810000000-branding.js';
import { Onboarding1797810000001 } from './migrations/1797810000001-onboarding.js';
import { UserPreferences1797820000000 } from './migrations/1797820000000-user-preferences.js';
import { Events1798000000000 } from './migrations/1798000000000-events.js';
import { Webhooks1798100000000 } from './migrations/1798100000000-webhooks.js';
import { Scim1798200000000 } from './migrations/1798200000000-scim.js';
import { ScimGroups1798210000000 } from './migrations/1798210000000-scim-groups.js';
import { ErasedPeople1798300000000 } from './migrations/1798300000000-erased-people.js';
import { NameStatistics1798400000000 } from './migrations/1798400000000-name-statistics.js';
import { ExportIdentity1798500000000 } from './migrations/1798500000000-export-identity.js';
import { DerivedRights1798600000000 } from './migrations/1798600000000-derived-rights.js';
import { AuditWithoutValues1798610000000 } from './migrations/1798610000000-audit-without-values.js';
import { FoldedNames1798620000000 } from './migrations/1798620000000-folded-names.js';
import { AttachedInvitations1798720000000 } from './migrations/1798720000000-attached-invitations.js';
import { UsageSumHistograms1798630000000 } from './migrations/1798630000000-usage-sum-histograms.js';
import { UsagePeopleKey1798700000000 } from './migrations/1798700000000-usage-people-key.js';
import { UsageTokenTime1798700000001 } from './migrations/1798700000001-usage-token-time.js';
import { UsagePageNames1798700000002 } from './migrations/1798700000002-usage-page-names.js';
import { GroupClosure1798740000000 } from './migrations/1798740000000-group-closure.js';
import { MissingIndexes1798740000001 } from './migrations/1798740000001-missing-indexes.js';
import { RuleReferences1798760000000 } from './migrations/1798760000000-rule-references.js';
import { WorkspaceContact1798830000000 } from './migrations/1798830000000-workspace-contact.js';

/** In execution order. A released migration never changes. */
export const migrations = [
  InitialSchema1795000000000,
  RateLimits1795000200000,
  PasswordResets1795000300000,
  AuditTrail1795010000000,
  ServiceAccounts1795010000001,
  IdempotencyKeys1795010000002,
  PlatformSignIn1795100000000,
  PowerBi1795300000000,
  MovedReports1795300000001,
  SyncProgress1795400000000,
  ChangeEpochs1795500000000,
  NameSearch1795600000000,
  EmbedGrantPartitions1795700000000,
  ShortNameSearch1795800000000,
  VoidLinks1796400000000,
  ExchangedTokens1796400000001,
  AccountInvitations1796400000002,
  OneNameSearch1797000000000,
  GrantsIndex1797090000000,
  GroupsAndGrants1797100000000,
  InvitationAccess1797200000000,
  UserNames1797400000000,
  Usage1797500000000,
  UsageReporting1797500000001,
  UsagePeopleBits1797550000000,
  UsagePeopleBitsData1797550000001,
  Favourites1797600000000,
  ReportFreshness1797610000000,
  SavedViews1797620000000,
  Exports1797700000000,
  AccessRequests1797800000000,
  Branding1797810000000,
  Onboarding1797810000001,
  UserPreferences1797820000000,
  Events1798000000000,
  Webhooks1798100000000,
  Scim1798200000000,
  ScimGroups1798210000000,
  ErasedPeople1798300000000,
  NameStatistics1798400000000,
  ExportIdentity1798500000000,
  DerivedRights1798600000000,
  AuditWithoutValues1798610000000,
  FoldedNames1798620000000,
  UsageSumHistograms1798630000000,
  UsagePeopleKey1798700000000,
  UsageTokenTime1798700000001,
  UsagePageNames1798700000002,
  AttachedInvitations1798720000000,
  GroupClosure1798740000000,
  MissingIndexes1798740000001,
  RuleReferences1798760000000,
  WorkspaceContact1798830000000,
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
