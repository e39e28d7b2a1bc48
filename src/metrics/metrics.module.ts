import { Module } from '@nestjs/common';
import { CatalogueModule } from '../catalogue/catalogue.module.js';
import { EmbedModule } from '../embed/embed.module.js';
import { HealthModule } from '../health/health.module.js';
import { PowerBiModule } from '../power-bi/power-bi.module.js';
import { UsersModule } from '../users/users.module.js';
import { Metrics } from './metrics.service.js';
import { ReplicaGauges } from './replica-gauges.service.js';
import { StoredStates } from './stored-state.service.js';

/** Nobody imports it: what is counted is told by happenings, and state is looked at. */
@Module({
  imports: [CatalogueModule, EmbedModule, HealthModule, PowerBiModule, UsersModule],
  providers: [Metrics, ReplicaGauges, StoredStates],
  exports: [Metrics],
})
export class MetricsModule {}
