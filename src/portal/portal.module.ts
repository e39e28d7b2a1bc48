import { Module } from '@nestjs/common';
import { PortalFilesService } from './portal-files.service.js';
import { PortalFolder } from './portal-folder.js';
import { PortalController } from './portal.controller.js';

@Module({
  controllers: [PortalController],
  providers: [PortalFilesService, PortalFolder],
})
export class PortalModule {}
