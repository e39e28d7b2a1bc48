import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/audit.module.js';
import { LinkSecrets } from '../core/crypto/link-secrets.js';
import { MailModule } from '../mail/mail.module.js';
import { UsersModule } from '../users/users.module.js';
import { WorkspacesModule } from '../workspaces/workspaces.module.js';
import { AccountInvitations } from './account-invitations.service.js';
import { Acceptance } from './invitation-acceptance.service.js';
import { InvitationGrant } from './invitation-grant.entity.js';
import { InvitationMail } from './invitation-mail.service.js';
import { InvitationRights } from './invitation-rights.service.js';
import { Invitation } from './invitation.entity.js';
import { InvitationsController } from './invitations.controller.js';
import { InvitationsService } from './invitations.service.js';
import { InviteReplay } from './invite-replay.service.js';
import { InviteController } from './invite.controller.js';
import { PendingInvitations } from './pending-invitations.service.js';

@Module({
  imports: [
    AuditModule,
    MailModule,
    UsersModule,
    WorkspacesModule,
    TypeOrmModule.forFeature([Invitation, InvitationGrant]),
  ],
  controllers: [InviteController, InvitationsController],
  providers: [
    InvitationsService,
    PendingInvitations,
    InviteReplay,
    InvitationRights,
    InvitationMail,
    Acceptance,
    AccountInvitations,
    LinkSecrets,
  ],
  exports: [Acceptance, AccountInvitations, InvitationMail],
})
export class InvitationsModule {}
