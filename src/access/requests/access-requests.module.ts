import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../../platform/audit/audit.module.js';
import { MailModule } from '../../platform/mail/mail.module.js';
import { WorkspacesModule } from '../../workspaces/workspaces.module.js';
import { AccessDecisionsService } from './access-decisions.service.js';
import { AccessRequestCleanupService } from './access-request-cleanup.service.js';
import { AccessRequestMailService } from './access-request-mail.service.js';
import { AccessRequest } from './access-request.entity.js';
import { AccessRequestsController } from './access-requests.controller.js';
import { AccessRequestsService } from './access-requests.service.js';

@Module({
  imports: [AuditModule, MailModule, WorkspacesModule, TypeOrmModule.forFeature([AccessRequest])],
  controllers: [AccessRequestsController],
  providers: [
    AccessRequestsService,
    AccessDecisionsService,
    AccessRequestMailService,
    AccessRequestCleanupService,
  ],
})
export class AccessRequestsModule {}
