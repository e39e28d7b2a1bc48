import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { NameHints } from '../common/pagination.js';
import { withoutDeadline } from '../common/request-context.js';
import { Report } from './report.entity.js';

const LASTS_MS = 60_000;
/** Of an index on three letters at a time: more of them cost more than they leave out. */
const MOST = 3;
/** What a tenth of all names has in it is no help in finding one of them. */
const FREQUENT = 0.1;

/** The same in any case whatever stands beside them, which is not so of every letter. A blank ends a word. */
const plainLetters = /^[a-z0-9]{2}[a-z0-9 ]$/;
const fewLetters = /^[a-z0-9]{1,2}$/;

interface Sample {
  names: string[];
  /** There is an index on pairs of letters. */
  hasPairs: boolean;
}

/**
 * Which letters of a search are rare: an index is asked for these and not for all of them, for one that is in every name
 * costs as much as reading every name. Told by the sample of names that PostgreSQL keeps for its plans.
 */
@Injectable()
export class NameSample {
  private taken: Promise<Sample> | undefined;
  private until = 0;

  constructor(@InjectRepository(Report) private readonly reports: Repository<Report>) {}

  async hintsFor(q: string): Promise<NameHints> {
    const text = q.toLowerCase();
    const all = Array.from({ length: Math.max(0, text.length - 2) }, (_, start) =>
      text.slice(start, start + 3),
    );
    const plain = [...new Set(all.filter((letters) => plainLetters.test(letters)))];
    const { names, hasPairs } = await this.sample();
    const countOf = (part: string): number => names.filter((name) => name.includes(part)).length;
    const rare = plain
      .map((letters) => ({ letters, count: countOf(letters) }))
      .filter(({ count }) => count <= names.length * FREQUENT)
      .toSorted((a, b) => a.count - b.count)
      .slice(0, MOST)
      .map(({ letters }) => letters);
    const count = countOf(text);
    // Before there is a sample nothing is known to be rare.
    if (hasPairs && names.length > 0 && count === 0 && fewLetters.test(text)) {
      return { rare, pair: text, isCommon: false };
    }
    return { rare, isCommon: rare.length === 0 && count > names.length * FREQUENT };
  }

  private sample(): Promise<Sample> {
    if (this.taken !== undefined && performance.now() < this.until) return this.taken;
    this.until = performance.now() + LASTS_MS;
    this.taken = this.read();
    this.taken.catch(() => (this.taken = undefined));
    return this.taken;
  }

  private async read(): Promise<Sample> {
    const [row] = await withoutDeadline(() =>
      this.reports.query<[{ names: string[] | null; hasPairs: boolean }]>(
        `SELECT to_regclass('reports_name_pairs_trgm_idx') IS NOT NULL AS "hasPairs",
           (SELECT coalesce(most_common_vals::text::text[], '{}') || coalesce(histogram_bounds::text::text[], '{}')
            FROM pg_stats
            WHERE schemaname = current_schema() AND tablename = 'reports' AND attname = 'name_key') AS names`,
      ),
    );
    return { ...row, names: row.names ?? [] };
  }
}
