import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DenialRecorder } from '../core/problems/denial-recorder.js';
import { AuditController } from './audit.controller.js';
import { AuditDenialsService } from './audit-denials.service.js';
import { AuditEvent } from './audit-event.entity.js';
import { AuditPartitionsService } from './audit-partitions.service.js';
import { AuditTrailService } from './audit-trail.service.js';
import { AuditService } from './audit.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([AuditEvent])],
  controllers: [AuditController],
  providers: [
    AuditService,
    AuditDenialsService,
    AuditPartitionsService,
    AuditTrailService,
    { provide: DenialRecorder, useExisting: AuditDenialsService },
  ],
  exports: [AuditService, AuditDenialsService, AuditPartitionsService, DenialRecorder],
})
export class AuditModule {}
