import { Module } from '@nestjs/common';
import { ReportsModule } from '../../reports/reports.module.js';
import { WorkspacesModule } from '../../workspaces/workspaces.module.js';
import { AccessReviewController } from './access-review.controller.js';
import { AccessReviewService } from './access-review.service.js';

@Module({
  imports: [ReportsModule, WorkspacesModule],
  controllers: [AccessReviewController],
  providers: [AccessReviewService],
})
export class AccessReviewModule {}
