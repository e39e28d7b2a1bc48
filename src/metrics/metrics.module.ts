import { Module } from '@nestjs/common';
import { CatalogueModule } from '../catalogue/catalogue.module.js';
import { EmbedModule } from '../embed/embed.module.js';
import { HealthModule } from '../health/health.module.js';
import { PowerBiModule } from '../power-bi/power-bi.module.js';
import { UsersModule } from '../users/users.module.js';
import { MetricsService } from './metrics.service.js';
import { ReplicaGaugesService } from './replica-gauges.service.js';
import { StoredStateService } from './stored-state.service.js';

/** Nobody imports it: what is counted is told by happenings, and state is looked at. */
@Module({
  imports: [CatalogueModule, EmbedModule, HealthModule, PowerBiModule, UsersModule],
  providers: [MetricsService, ReplicaGaugesService, StoredStateService],
  exports: [MetricsService],
})
export class MetricsModule {}
