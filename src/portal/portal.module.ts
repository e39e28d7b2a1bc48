import { Module } from '@nestjs/common';
import { BrandingModule } from '../platform/branding/branding.module.js';
import { PortalFilesService, PortalFolder } from './portal-files.service.js';
import { PortalController } from './portal.controller.js';

@Module({
  imports: [BrandingModule],
  controllers: [PortalController],
  providers: [PortalFilesService, PortalFolder],
})
export class PortalModule {}
