import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../../platform/audit/audit.module.js';
import { UsersModule } from '../../users/users.module.js';
import { EndedRightsService } from './ended-rights.service.js';
import { GroupClosureService } from './group-closure.service.js';
import { GroupMembersController } from './group-members.controller.js';
import { GroupMembersService } from './group-members.service.js';
import { GroupRepairService } from './group-repair.service.js';
import { Group, GroupClosure, GroupEdge } from './group.entity.js';
import { GroupsController } from './groups.controller.js';
import { GroupsService } from './groups.service.js';
import { IdpGroupsService } from './idp-groups.service.js';
import { RuleReference } from './rule-reference.entity.js';
import { RuleReferencesService } from './rule-references.service.js';
import { ScimGroupsService } from './scim-groups.service.js';
import { ScimMembersService } from './scim-members.service.js';
import { UserGroupsController } from './user-groups.controller.js';
import { UserGroupsService } from './user-groups.service.js';

const shared = [
  EndedRightsService,
  GroupsService,
  GroupMembersService,
  GroupClosureService,
  UserGroupsService,
  IdpGroupsService,
  RuleReferencesService,
  ScimGroupsService,
];

@Module({
  imports: [
    AuditModule,
    UsersModule,
    TypeOrmModule.forFeature([Group, GroupEdge, GroupClosure, RuleReference]),
  ],
  controllers: [GroupsController, GroupMembersController, UserGroupsController],
  providers: [...shared, GroupRepairService, ScimMembersService],
  exports: shared,
})
export class GroupsModule {}
