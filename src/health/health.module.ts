import { Module } from '@nestjs/common';
import { MailModule } from '../platform/mail/mail.module.js';
import { PowerBiModule } from '../power-bi/power-bi.module.js';
import { HealthController } from './health.controller.js';
import { HealthService } from './health.service.js';
import { ProbesController } from './probes.controller.js';
import { ReadinessService } from './readiness.service.js';

@Module({
  imports: [MailModule, PowerBiModule],
  controllers: [HealthController, ProbesController],
  providers: [HealthService, ReadinessService],
  exports: [HealthService, ReadinessService],
})
export class HealthModule {}
