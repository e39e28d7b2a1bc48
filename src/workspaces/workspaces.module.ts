import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../platform/audit/audit.module.js';
import { GroupsModule } from '../access/groups/groups.module.js';
import { UsersModule } from '../users/users.module.js';
import { GrantsModule } from '../access/grants/grants.module.js';
import { ManagedWorkspacesService } from './managed-workspaces.service.js';
import { HoldersService } from './holders.service.js';
import { TargetGrantsService } from './target-grants.service.js';
import { WorkspaceGrantsController } from './workspace-grants.controller.js';
import { MembersController } from './members.controller.js';
import { MembersService } from './members.service.js';
import { Workspace } from './workspace.entity.js';
import { WorkspacesController } from './workspaces.controller.js';
import { WorkspacesService } from './workspaces.service.js';

const shared = [WorkspacesService, ManagedWorkspacesService, HoldersService, TargetGrantsService];

@Module({
  imports: [AuditModule, GrantsModule, GroupsModule, UsersModule, TypeOrmModule.forFeature([Workspace])],
  controllers: [WorkspacesController, MembersController, WorkspaceGrantsController],
  providers: [...shared, MembersService],
  exports: [GrantsModule, ...shared],
})
export class WorkspacesModule {}
