import { Module } from '@nestjs/common';
import { Mailer } from './mailer.service.js';

@Module({ providers: [Mailer], exports: [Mailer] })
export class MailModule {}
