import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { GroupsModule } from '../groups/groups.module.js';
import { EndedGrantsService } from './ended-grants.service.js';
import { GrantsService } from './grants.service.js';

@Module({
  imports: [AuditModule, GroupsModule],
  providers: [GrantsService, EndedGrantsService],
  exports: [GrantsService],
})
export class GrantsModule {}
