import { Module } from '@nestjs/common';
import { PortalFiles } from './portal-files.service.js';
import { PortalFolder } from './portal-folder.js';
import { PortalController } from './portal.controller.js';

@Module({
  controllers: [PortalController],
  providers: [PortalFiles, PortalFolder],
})
export class PortalModule {}
