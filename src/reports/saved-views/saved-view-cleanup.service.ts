import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock } from '../../core/clock.js';
import { DatabaseService } from '../../core/database/database.service.js';
import { JobsService } from '../../platform/jobs/jobs.service.js';
import { deleteOfRetired, RETIRED_KEPT_SECONDS } from '../reports.queries.js';
import { SavedView } from './saved-view.entity.js';

/** Deletes the views of reports that no longer exist in Power BI. */
@Injectable()
export class SavedViewCleanupService implements OnApplicationBootstrap {
  constructor(
    private readonly database: DatabaseService,
    private readonly jobs: JobsService,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.jobs.repeat('saved_view_cleanup', '43 2 * * *', () => this.removeOld());
  }

  async removeOld(): Promise<void> {
    await deleteOfRetired(this.database.manager, SavedView, this.clock.in(-RETIRED_KEPT_SECONDS));
  }
}
