import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock } from '../../core/clock.js';
import { DatabaseService } from '../../core/database/database.service.js';
import { lockName } from '../../core/database/locks.js';
import type { Principal } from '../../core/http/principal.js';
import { JobsService } from '../../platform/jobs/jobs.service.js';
import { deleteOfRetired, type ListedReport, RETIRED_KEPT_SECONDS } from '../reports.queries.js';
import { ReportsService } from '../reports.service.js';
import { Favourite } from './favourite.entity.js';
import { addFavourite, listFavourites } from './favourites.queries.js';
import { Problem } from '../../core/problems/problem.js';

class TooManyFavourites extends Problem {
  constructor(max: number) {
    super('too_many_favourites', `You can have at most ${max} favourites. Remove one first.`);
  }
}

/** Bounds the list, which has no pages. */
const MAX_FAVOURITES = 500;

/**
 * The reports that a person marked. A favourite that the person can no longer see is kept until another one takes its place, but
 * not listed.
 */
@Injectable()
export class FavouritesService implements OnApplicationBootstrap {
  constructor(
    private readonly database: DatabaseService,
    private readonly reports: ReportsService,
    private readonly jobs: JobsService,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.jobs.repeat('favourite_cleanup', '37 2 * * *', () => this.removeOld());
  }

  async list(caller: Principal): Promise<ListedReport[]> {
    return this.reports.findByIds(caller, await listFavourites(this.database.manager, caller.id));
  }

  /** Throws ReportNotFound or TooManyFavourites. */
  async add(caller: Principal, reportId: string): Promise<void> {
    const { id } = await this.reports.get(caller, reportId);
    const favourite = { userId: caller.id, reportId: id, now: this.clock.now(), max: MAX_FAVOURITES };
    await this.database.transaction(async (tx) => {
      await lockName(tx, `favourites ${caller.id}`);
      if (await addFavourite(tx, favourite)) return;
      const known = await listFavourites(tx, caller.id);
      const visible = await this.reports.visibleAmong(caller, known, tx);
      const oldestHidden = known.findLast((each) => !visible.has(each));
      if (oldestHidden === undefined) throw new TooManyFavourites(MAX_FAVOURITES);
      await tx.delete(Favourite, { userId: caller.id, reportId: oldestHidden });
      await addFavourite(tx, favourite);
    });
  }

  /** Throws ReportNotFound. */
  async remove(caller: Principal, reportId: string): Promise<void> {
    const { id } = await this.reports.get(caller, reportId);
    await this.database.manager.delete(Favourite, { userId: caller.id, reportId: id });
  }

  async removeOld(): Promise<void> {
    await deleteOfRetired(this.database.manager, Favourite, this.clock.in(-RETIRED_KEPT_SECONDS));
  }
}
