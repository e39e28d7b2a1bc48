import { Module } from '@nestjs/common';
import { BrandingModule } from '../branding/branding.module.js';
import { LocalizedMailService } from './localized-mail.service.js';
import { MailerService } from './mailer.service.js';

@Module({
  imports: [BrandingModule],
  providers: [MailerService, LocalizedMailService],
  exports: [MailerService, LocalizedMailService],
})
export class MailModule {}
