import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/audit.module.js';
import { BrandingFilesController } from './branding-files.controller.js';
import { BrandingController } from './branding.controller.js';
import { Branding, BrandingImage } from './branding.entity.js';
import { BrandingService } from './branding.service.js';
import { CurrentBrandingService } from './current-branding.service.js';

@Module({
  imports: [AuditModule, TypeOrmModule.forFeature([Branding, BrandingImage])],
  controllers: [BrandingController, BrandingFilesController],
  providers: [BrandingService, CurrentBrandingService],
  exports: [CurrentBrandingService],
})
export class BrandingModule {}
