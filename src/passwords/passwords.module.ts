import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/audit.module.js';
import { LinkSecrets } from '../core/crypto/link-secrets.js';
import { MailModule } from '../mail/mail.module.js';
import { RateLimitModule } from '../rate-limit/rate-limit.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { UsersModule } from '../users/users.module.js';
import { PasswordChangeController } from './password-change.controller.js';
import { PasswordChangeService } from './password-change.service.js';
import { PasswordChangesService } from './password-changes.service.js';
import { PasswordMailService } from './password-mail.service.js';
import { PasswordReset } from './password-reset.entity.js';
import { ResetLinksService } from './reset-links.service.js';

@Module({
  imports: [
    AuditModule,
    MailModule,
    RateLimitModule,
    SessionsModule,
    UsersModule,
    TypeOrmModule.forFeature([PasswordReset]),
  ],
  controllers: [PasswordChangeController],
  providers: [
    PasswordChangeService,
    PasswordChangesService,
    PasswordMailService,
    ResetLinksService,
    LinkSecrets,
  ],
  exports: [PasswordChangesService, PasswordMailService, ResetLinksService],
})
export class PasswordsModule {}
