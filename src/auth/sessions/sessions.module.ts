import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../../platform/audit/audit.module.js';
import { MailModule } from '../../platform/mail/mail.module.js';
import { RateLimitModule } from '../../platform/rate-limit/rate-limit.module.js';
import { UsersModule } from '../../users/users.module.js';
import { EmailChangeMailService } from './email-change-mail.service.js';
import { LoginCode, Session } from './session.entity.js';
import { LoginCodesService } from './login-codes.service.js';
import { OpenLinksService } from './open-links.service.js';
import { RefreshTokensService } from './refresh-tokens.service.js';
import { SessionCleanupService } from './session-cleanup.service.js';
import { SessionRefreshService } from './session-refresh.service.js';
import { SessionsController } from './sessions.controller.js';
import { SessionsService } from './sessions.service.js';
import { UserSessionsController } from './user-sessions.controller.js';
import { UserSessionsService } from './user-sessions.service.js';

const shared = [
  LoginCodesService,
  OpenLinksService,
  SessionCleanupService,
  SessionRefreshService,
  SessionsService,
  UserSessionsService,
];

@Module({
  imports: [
    AuditModule,
    MailModule,
    RateLimitModule,
    UsersModule,
    TypeOrmModule.forFeature([Session, LoginCode]),
  ],
  controllers: [SessionsController, UserSessionsController],
  providers: [...shared, EmailChangeMailService, RefreshTokensService],
  exports: shared,
})
export class SessionsModule {}
