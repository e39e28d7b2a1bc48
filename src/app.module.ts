import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER, APP_PIPE } from '@nestjs/core';
import { LoggerModule } from 'nestjs-pino';
import { AccountsModule } from './accounts/accounts.module.js';
import { JobsModule } from './jobs/jobs.module.js';
import { queues } from './jobs/queues.js';
import { AccessRequestsModule } from './access-requests/access-requests.module.js';
import { AccessReviewModule } from './access-review/access-review.module.js';
import { AuditTrailModule } from './audit-trail/audit-trail.module.js';
import { AuditModule } from './audit/audit.module.js';
import { AuthModule } from './auth/auth.module.js';
import { BrandingModule } from './branding/branding.module.js';
import { CatalogueModule } from './catalogue/catalogue.module.js';
import { loggerOptions } from './core/telemetry/logging.js';
import { ServiceLogger } from './core/telemetry/service-logger.js';
import { ProblemFilter } from './core/problems/problem.filter.js';
import { validationPipe } from './core/validation/validation.js';
import { Config } from './core/config/config.js';
import { ConfigModule } from './core/config/config.module.js';
import { DatabaseModule } from './core/database/database.module.js';
import { EmbedModule } from './embed/embed.module.js';
import { EventStreamModule } from './event-stream/event-stream.module.js';
import { EventsModule } from './events/events.module.js';
import { FavouritesModule } from './favourites/favourites.module.js';
import { FreshnessModule } from './freshness/freshness.module.js';
import { ExportsModule } from './exports/exports.module.js';
import { GroupsModule } from './groups/groups.module.js';
import { HealthModule } from './health/health.module.js';
import { HttpModule } from './core/http/http.module.js';
import { IdempotencyModule } from './idempotency/idempotency.module.js';
import { InvitationsModule } from './invitations/invitations.module.js';
import { MetricsModule } from './metrics/metrics.module.js';
import { OnboardingModule } from './onboarding/onboarding.module.js';
import { OidcModule } from './oidc/oidc.module.js';
import { PasswordsModule } from './passwords/passwords.module.js';
import { RateLimitModule } from './rate-limit/rate-limit.module.js';
import { ScimModule } from './scim/scim.module.js';
import { SearchModule } from './search/search.module.js';
import { ServiceAccountsModule } from './service-accounts/service-accounts.module.js';
import { SessionsModule } from './sessions/sessions.module.js';
import { PortalModule } from './portal/portal.module.js';
import { ReportsModule } from './reports/reports.module.js';
import { SavedViewsModule } from './saved-views/saved-views.module.js';
import { TracingModule } from './core/telemetry/tracing.module.js';
import { UsageModule } from './usage/usage.module.js';
import { UsersModule } from './users/users.module.js';
import { WebhooksModule } from './webhooks/webhooks.module.js';
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
        DatabaseModule.forRoot(queues),
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
        TracingModule,
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
