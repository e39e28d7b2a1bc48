import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EventsModule } from '../../events/outbox/events.module.js';
import { PowerBiModule } from '../../power-bi/power-bi.module.js';
import { DatasetRefresh } from './dataset-refresh.entity.js';
import { FreshnessService } from './freshness.service.js';

@Module({
  imports: [EventsModule, PowerBiModule, TypeOrmModule.forFeature([DatasetRefresh])],
  providers: [FreshnessService],
})
export class FreshnessModule {}
