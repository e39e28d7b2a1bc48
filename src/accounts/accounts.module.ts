import { Module } from '@nestjs/common';
import { AuditModule } from '../platform/audit/audit.module.js';
import { OidcModule } from '../auth/oidc/oidc.module.js';
import { SessionsModule } from '../auth/sessions/sessions.module.js';
import { UsersModule } from '../users/users.module.js';
import { ReportsModule } from '../reports/reports.module.js';
import { WorkspacesModule } from '../workspaces/workspaces.module.js';
import { MeController } from './me.controller.js';
import { PersonalExportController } from './personal-export.controller.js';
import { PersonalExportService } from './personal-export.service.js';
import { ProfileService } from './profile.service.js';
import { UserErasureService } from './user-erasure.service.js';

@Module({
  imports: [AuditModule, OidcModule, SessionsModule, UsersModule, ReportsModule, WorkspacesModule],
  controllers: [MeController, PersonalExportController],
  providers: [ProfileService, UserErasureService, PersonalExportService],
  exports: [UserErasureService],
})
export class AccountsModule {}
