import { Module } from '@nestjs/common';
import { EventsModule } from '../../events/outbox/events.module.js';
import { PowerBiModule } from '../../power-bi/power-bi.module.js';
import { FreshnessService } from './freshness.service.js';
import { RefreshCheckService } from './refresh-check.service.js';

@Module({
  imports: [EventsModule, PowerBiModule],
  providers: [FreshnessService, RefreshCheckService],
})
export class FreshnessModule {}
