import { Module } from '@nestjs/common';
import { CatalogueModule } from '../../catalogue/catalogue.module.js';
import { EmbedModule } from '../../embed/embed.module.js';
import { HealthModule } from '../health.module.js';
import { PowerBiModule } from '../../power-bi/power-bi.module.js';
import { UsageModule } from '../../usage/usage.module.js';
import { UsersModule } from '../../users/users.module.js';
import { MetricsService } from './metrics.service.js';
import { ReplicaGaugesService } from './replica-gauges.service.js';
import { StoredStateService } from './stored-state.service.js';

/**
 * No feature module imports it: counters subscribe to telemetry events, gauges read the state when metrics are
 * collected.
 */
@Module({
  imports: [CatalogueModule, EmbedModule, HealthModule, PowerBiModule, UsageModule, UsersModule],
  providers: [MetricsService, ReplicaGaugesService, StoredStateService],
  exports: [MetricsService],
})
export class MetricsModule {}
