import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../platform/audit/audit.module.js';
import { LinkSecrets } from '../core/crypto/link-secrets.js';
import { GroupsModule } from '../access/groups/groups.module.js';
import { MailModule } from '../platform/mail/mail.module.js';
import { RateLimitModule } from '../platform/rate-limit/rate-limit.module.js';
import { ReportsModule } from '../reports/reports.module.js';
import { UsersModule } from '../users/users.module.js';
import { WorkspacesModule } from '../workspaces/workspaces.module.js';
import { AccountAcceptanceService } from './account-acceptance.service.js';
import { AccountInvitationsService } from './account-invitations.service.js';
import { BulkInvitationsService } from './bulk-invitations.service.js';
import { InvitationAcceptanceService } from './invitation-acceptance.service.js';
import { InvitationAccessService } from './invitation-access.service.js';
import { InvitationAttachmentService } from './invitation-attachment.service.js';
import { InvitationCleanupService } from './invitation-cleanup.service.js';
import { InvitationDescriptionService } from './invitation-description.service.js';
import { Invitation, PendingGrant, PendingGroup, PendingReportGrant } from './invitation.entity.js';
import { InvitationEmailService } from './invitation-email.service.js';
import { InvitationIssuanceService } from './invitation-issuance.service.js';
import { InvitationMailService } from './invitation-mail.service.js';
import { InvitationPreviewController } from './invitation-preview.controller.js';
import { InvitationPreviewService } from './invitation-preview.service.js';
import { InvitationRightsService } from './invitation-rights.service.js';
import { InvitationsController } from './invitations.controller.js';
import { InvitationsService } from './invitations.service.js';
import { PendingInvitationsService } from './pending-invitations.service.js';

@Module({
  imports: [
    AuditModule,
    GroupsModule,
    MailModule,
    RateLimitModule,
    ReportsModule,
    UsersModule,
    WorkspacesModule,
    TypeOrmModule.forFeature([Invitation, PendingGrant, PendingReportGrant, PendingGroup]),
  ],
  controllers: [InvitationsController, InvitationPreviewController],
  providers: [
    InvitationsService,
    BulkInvitationsService,
    PendingInvitationsService,
    InvitationRightsService,
    InvitationAccessService,
    InvitationIssuanceService,
    InvitationMailService,
    InvitationEmailService,
    InvitationDescriptionService,
    InvitationPreviewService,
    InvitationAcceptanceService,
    InvitationAttachmentService,
    AccountInvitationsService,
    AccountAcceptanceService,
    InvitationCleanupService,
    LinkSecrets,
  ],
  exports: [
    InvitationAcceptanceService,
    InvitationAttachmentService,
    AccountAcceptanceService,
    InvitationMailService,
  ],
})
export class InvitationsModule {}
