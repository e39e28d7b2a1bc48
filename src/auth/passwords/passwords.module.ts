import { Module } from '@nestjs/common';
import { AuditModule } from '../../platform/audit/audit.module.js';
import { MailModule } from '../../platform/mail/mail.module.js';
import { RateLimitModule } from '../../platform/rate-limit/rate-limit.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { UsersModule } from '../../users/users.module.js';
import { PasswordChangeController } from './password-change.controller.js';
import { PasswordChangeService } from './password-change.service.js';
import { PasswordChangesService } from './password-changes.service.js';
import { PasswordMailService } from './password-mail.service.js';

@Module({
  imports: [AuditModule, MailModule, RateLimitModule, SessionsModule, UsersModule],
  controllers: [PasswordChangeController],
  providers: [PasswordChangeService, PasswordChangesService, PasswordMailService],
  exports: [PasswordChangesService, PasswordMailService],
})
export class PasswordsModule {}
