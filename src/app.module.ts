import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER, APP_PIPE } from '@nestjs/core';
import { LoggerModule } from 'nestjs-pino';
import { AccountsModule } from './accounts/accounts.module.js';
import { JobsModule } from './platform/jobs/jobs.module.js';
import { AccessRequestsModule } from './access/requests/access-requests.module.js';
import { AccessReviewModule } from './access/review/access-review.module.js';
import { AuditTrailModule } from './audit-trail/audit-trail.module.js';
import { AuditModule } from './platform/audit/audit.module.js';
import { AuthModule } from './auth/auth.module.js';
import { BrandingModule } from './platform/branding/branding.module.js';
import { CatalogueModule } from './catalogue/catalogue.module.js';
import { loggerOptions, ServiceLogger } from './core/telemetry/logging.js';
import { ProblemFilter } from './core/problems/problem.filter.js';
import { validationPipe } from './core/validation/validation.js';
import { Config } from './core/config/config.js';
import { ConfigModule } from './core/config/config.module.js';
import { DatabaseModule } from './core/database/database.module.js';
import { EmbedModule } from './embed/embed.module.js';
import { EventStreamModule } from './events/stream/event-stream.module.js';
import { EventsModule } from './events/outbox/events.module.js';
import { FavouritesModule } from './reports/favourites/favourites.module.js';
import { FreshnessModule } from './reports/freshness/freshness.module.js';
import { ExportsModule } from './reports/exports/exports.module.js';
import { GroupsModule } from './access/groups/groups.module.js';
import { HealthModule } from './health/health.module.js';
import { HttpModule } from './core/http/http.module.js';
import { IdempotencyModule } from './platform/idempotency/idempotency.module.js';
import { InvitationsModule } from './invitations/invitations.module.js';
import { MetricsModule } from './health/metrics/metrics.module.js';
import { OnboardingModule } from './portal/onboarding/onboarding.module.js';
import { OidcModule } from './auth/oidc/oidc.module.js';
import { PasswordsModule } from './auth/passwords/passwords.module.js';
import { RateLimitModule } from './platform/rate-limit/rate-limit.module.js';
import { ScimModule } from './accounts/scim/scim.module.js';
import { SearchModule } from './portal/search/search.module.js';
import { ServiceAccountsModule } from './auth/service-accounts/service-accounts.module.js';
import { SessionsModule } from './auth/sessions/sessions.module.js';
import { PortalModule } from './portal/portal.module.js';
import { ReportsModule } from './reports/reports.module.js';
import { SavedViewsModule } from './reports/saved-views/saved-views.module.js';
import { UsageModule } from './usage/usage.module.js';
import { UsersModule } from './users/users.module.js';
import { WebhooksModule } from './events/webhooks/webhooks.module.js';
import { WorkspacesModule } from './workspaces/workspaces.module.js';

/** The order of modules and routes does not matter: Nest resolves routes by specificity. */
@Module({})
export class AppModule {
  static forRoot(config: Config): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ConfigModule.forRoot(config),
        LoggerModule.forRoot(loggerOptions(config.logLevel)),
        DatabaseModule,
        HttpModule,
        JobsModule,
        AuditModule,
        EventsModule,
        EventStreamModule,
        AccessRequestsModule,
        AccessReviewModule,
        AuditTrailModule,
        BrandingModule,
        IdempotencyModule,
        AccountsModule,
        AuthModule,
        OidcModule,
        PasswordsModule,
        RateLimitModule,
        ScimModule,
        SearchModule,
        ServiceAccountsModule,
        SessionsModule,
        UsersModule,
        InvitationsModule,
        GroupsModule,
        WorkspacesModule,
        ReportsModule,
        FavouritesModule,
        SavedViewsModule,
        CatalogueModule,
        EmbedModule,
        FreshnessModule,
        OnboardingModule,
        ExportsModule,
        UsageModule,
        WebhooksModule,
        HealthModule,
        MetricsModule,
        PortalModule,
      ],
      providers: [
        ServiceLogger,
        { provide: APP_FILTER, useClass: ProblemFilter },
        { provide: APP_PIPE, useFactory: validationPipe },
      ],
    };
  }
}
