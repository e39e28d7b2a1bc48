import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/audit.module.js';
import { UsersModule } from '../users/users.module.js';
import { GrantsModule } from '../grants/grants.module.js';
import { AccessPolicy } from './access-policy.service.js';
import { ManagedWorkspaces } from './managed-workspaces.service.js';
import { GrantsController } from './user-grants.controller.js';
import { UserGrantsService } from './user-grants.service.js';
import { MembersController } from './members.controller.js';
import { MembersService } from './members.service.js';
import { IdpGrantsService } from './idp-grants.service.js';
import { Workspace } from './workspace.entity.js';
import { WorkspacesController } from './workspaces.controller.js';
import { WorkspacesService } from './workspaces.service.js';

@Module({
  imports: [AuditModule, GrantsModule, UsersModule, TypeOrmModule.forFeature([Workspace])],
  controllers: [WorkspacesController, MembersController, GrantsController],
  providers: [
    WorkspacesService,
    AccessPolicy,
    MembersService,
    ManagedWorkspaces,
    UserGrantsService,
    IdpGrantsService,
  ],
  exports: [
    GrantsModule,
    WorkspacesService,
    AccessPolicy,
    ManagedWorkspaces,
    UserGrantsService,
    IdpGrantsService,
  ],
})
export class WorkspacesModule {}
