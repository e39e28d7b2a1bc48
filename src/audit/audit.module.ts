import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Denials } from '../core/problems/denial-recorder.js';
import { AuditController } from './audit.controller.js';
import { AuditDenials } from './audit-denials.service.js';
import { AuditEvent } from './audit-event.entity.js';
import { AuditPartitions } from './audit-partitions.service.js';
import { AuditTrail } from './audit-trail.service.js';
import { Audit } from './audit.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([AuditEvent])],
  controllers: [AuditController],
  providers: [
    Audit,
    AuditDenials,
    AuditPartitions,
    AuditTrail,
    { provide: Denials, useExisting: AuditDenials },
  ],
  exports: [Audit, AuditDenials, AuditPartitions, Denials],
})
export class AuditModule {}
