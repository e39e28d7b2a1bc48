import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DenialRecorder } from '../../core/problems/denial-recorder.js';
import { EventsModule } from '../../events/outbox/events.module.js';
import { AuditDenialsService } from './audit-denials.service.js';
import { AuditEvent } from './audit-event.entity.js';
import { AuditService } from './audit.service.js';

@Module({
  imports: [EventsModule, TypeOrmModule.forFeature([AuditEvent])],
  providers: [
    AuditService,
    AuditDenialsService,
    { provide: DenialRecorder, useExisting: AuditDenialsService },
  ],
  exports: [AuditService, AuditDenialsService, DenialRecorder],
})
export class AuditModule {}
