import { Module } from '@nestjs/common';
import { AuditModule } from '../platform/audit/audit.module.js';
import { AuditTrailController } from './audit-trail.controller.js';
import { AuditTrailService } from './audit-trail.service.js';

@Module({
  imports: [AuditModule],
  controllers: [AuditTrailController],
  providers: [AuditTrailService],
})
export class AuditTrailModule {}
