import { Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock.js';
import { DatabaseService } from '../../core/database/database.service.js';
import type { Principal } from '../../core/http/principal.js';
import type { ListedReport } from '../reports.queries.js';
import { ReportsService } from '../reports.service.js';
import { addFavourite, listFavourites, removeFavourite } from './favourites.queries.js';
import { Problem } from '../../core/problems/problem.js';

class TooManyFavourites extends Problem {
  constructor(max: number) {
    super('too_many_favourites', `You can have at most ${max} favourites. Remove one first.`);
  }
}

/** Bounds the list, which has no pages. */
const MAX_FAVOURITES = 500;

/** The reports that a person marked. A favourite that the person can no longer see is kept, but not listed. */
@Injectable()
export class FavouritesService {
  constructor(
    private readonly database: DatabaseService,
    private readonly reports: ReportsService,
    private readonly clock: Clock,
  ) {}

  async list(caller: Principal): Promise<ListedReport[]> {
    return this.reports.findByIds(caller, await listFavourites(this.database.manager, caller.id));
  }

  /** Throws ReportNotFound or TooManyFavourites. */
  async add(caller: Principal, reportId: string): Promise<void> {
    const { id } = await this.reports.get(caller, reportId);
    const favourite = { userId: caller.id, reportId: id, now: this.clock.now(), max: MAX_FAVOURITES };
    const isAdded = await this.database.transaction((tx) => addFavourite(tx, favourite));
    if (!isAdded) throw new TooManyFavourites(MAX_FAVOURITES);
  }

  /** Throws ReportNotFound. */
  async remove(caller: Principal, reportId: string): Promise<void> {
    const { id } = await this.reports.get(caller, reportId);
    await removeFavourite(this.database.manager, caller.id, id);
  }
}
