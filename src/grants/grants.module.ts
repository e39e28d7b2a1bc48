import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { GroupsModule } from '../groups/groups.module.js';
import { GrantsService } from './grants.service.js';

@Module({ imports: [AuditModule, GroupsModule], providers: [GrantsService], exports: [GrantsService] })
export class GrantsModule {}
