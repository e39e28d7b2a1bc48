import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../../platform/audit/audit.module.js';
import { GroupsModule } from '../groups/groups.module.js';
import { AccessPolicyService } from './access-policy.service.js';
import { Grant } from './grant.entity.js';
import { GrantsService } from './grants.service.js';

@Module({
  imports: [AuditModule, GroupsModule, TypeOrmModule.forFeature([Grant])],
  providers: [GrantsService, AccessPolicyService],
  exports: [GrantsService, AccessPolicyService],
})
export class GrantsModule {}
