import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../../platform/audit/audit.module.js';
import { BrandingModule } from '../../platform/branding/branding.module.js';
import { CatalogueModule } from '../../catalogue/catalogue.module.js';
import { HealthModule } from '../../health/health.module.js';
import { InvitationsModule } from '../../invitations/invitations.module.js';
import { MailModule } from '../../platform/mail/mail.module.js';
import { OnboardingChecksService } from './onboarding-checks.service.js';
import { OnboardingController } from './onboarding.controller.js';
import { Onboarding } from './onboarding.entity.js';
import { OnboardingService } from './onboarding.service.js';

@Module({
  imports: [
    AuditModule,
    BrandingModule,
    CatalogueModule,
    HealthModule,
    InvitationsModule,
    MailModule,
    TypeOrmModule.forFeature([Onboarding]),
  ],
  controllers: [OnboardingController],
  providers: [OnboardingService, OnboardingChecksService],
})
export class OnboardingModule {}
