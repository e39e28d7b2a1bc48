import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/audit.module.js';
import { GroupsModule } from '../groups/groups.module.js';
import { UsersModule } from '../users/users.module.js';
import { GrantsController } from './grants.controller.js';
import { GrantsService } from './grants.service.js';
import { MembersController } from './members.controller.js';
import { MembersService } from './members.service.js';
import { Membership } from './membership.entity.js';
import { MembershipsService } from './memberships.service.js';
import { IdpGrantsService } from './idp-grants.service.js';
import { Workspace } from './workspace.entity.js';
import { WorkspacesController } from './workspaces.controller.js';
import { WorkspacesService } from './workspaces.service.js';

@Module({
  imports: [AuditModule, GroupsModule, UsersModule, TypeOrmModule.forFeature([Workspace, Membership])],
  controllers: [WorkspacesController, MembersController, GrantsController],
  providers: [WorkspacesService, MembershipsService, MembersService, GrantsService, IdpGrantsService],
  exports: [WorkspacesService, MembershipsService, GrantsService, IdpGrantsService],
})
export class WorkspacesModule {}
