import { Module } from '@nestjs/common';
import { BrandingModule } from '../branding/branding.module.js';
import { MailService } from './mail.service.js';

@Module({
  imports: [BrandingModule],
  providers: [MailService],
  exports: [MailService],
})
export class MailModule {}
