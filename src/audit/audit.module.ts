import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditEvent } from './audit-event.entity.js';
import { Audit } from './audit.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([AuditEvent])],
  providers: [Audit],
  exports: [Audit],
})
export class AuditModule {}
