import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts.module.js';
import { AuditModule } from '../../platform/audit/audit.module.js';
import { GroupsModule } from '../../access/groups/groups.module.js';
import { SessionsModule } from '../../auth/sessions/sessions.module.js';
import { UsersModule } from '../../users/users.module.js';
import { DiscoveryController } from './discovery.controller.js';
import { GroupResourcesService } from './groups/group-resources.service.js';
import { ScimGroupsController } from './groups/scim-groups.controller.js';
import { ScimAddress } from './scim-address.js';
import { ScimErasureService } from './users/scim-erasure.service.js';
import { ScimUsersController } from './users/scim-users.controller.js';
import { ScimUsersService } from './users/scim-users.service.js';
import { UnsupportedController } from './unsupported.controller.js';

/** Provisioning of users and groups by an identity provider (RFC 7643, RFC 7644). */
@Module({
  imports: [AccountsModule, AuditModule, GroupsModule, SessionsModule, UsersModule],
  controllers: [DiscoveryController, ScimGroupsController, ScimUsersController, UnsupportedController],
  providers: [ScimAddress, GroupResourcesService, ScimErasureService, ScimUsersService],
})
export class ScimModule {}
