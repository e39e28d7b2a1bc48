import { Injectable } from '@nestjs/common';
import { DatabaseService } from '../core/database/database.service.js';
import { execute } from '../core/database/execute.js';
import { numbersOf } from './people.queries.js';

const PAGE = 1000;

/** One view in a person's data. */
export interface PersonalView {
  started_at: Date;
  report_id: string;
  workspace_id: string;
  visible_ms: number;
  page_views: number;
  failures: number;
  load_ms: number | null;
  render_ms: number | null;
  pages: string[] | null;
  errors: string[] | null;
}

/** What is stored about the usage of one person. */
@Injectable()
export class PersonalUsageService {
  constructor(private readonly database: DatabaseService) {}

  /** All stored views of the user, oldest first, in pages. Empty if no people are stored. */
  async *usageOf(userId: string): AsyncGenerator<PersonalView[]> {
    const { manager } = this.database;
    const numbers = await numbersOf(manager, [userId]);
    let after = [new Date(0).toISOString(), '00000000-0000-0000-0000-000000000000'];
    for (;;) {
      const { rows } = await execute<PersonalView & { id: string }>(
        manager,
        `SELECT id, started_at, report_id, workspace_id, visible_ms, page_views, failures, load_ms, render_ms, pages, errors
         FROM usage_views WHERE person = ANY($1::int[]) AND (started_at, id) > ($2::timestamptz, $3::uuid)
         ORDER BY started_at, id LIMIT ${PAGE}`,
        [numbers, ...after],
      );
      const last = rows.at(-1);
      if (last === undefined) return;
      yield rows.map(({ id: _id, ...view }) => view);
      after = [last.started_at.toISOString(), last.id];
    }
  }
}
