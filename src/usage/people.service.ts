import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { EntityManager } from 'typeorm';
import { Config } from '../core/config/config.js';
import { afterCommit } from '../core/database/after-commit.js';
import { execute } from '../core/database/execute.js';
import { monthOf, pseudonymOf } from './people.queries.js';
import { UsageMonthKey } from './usage.entity.js';

const MAX_CACHED = 20_000;

/** The numbers that represent people in usage figures. */
@Injectable()
export class UsagePeopleService {
  private readonly numbers = new LRUCache<string, number>({ max: MAX_CACHED });

  constructor(private readonly config: Config) {}

  /** Null if no people are stored. */
  async numberOf(tx: EntityManager, userId: string, at: Date): Promise<number | null> {
    const { countsViewers, identifiesUsers } = this.config.usage;
    if (!countsViewers) return null;
    const month = identifiesUsers ? null : monthOf(at);
    const known = this.numbers.get(`${userId} ${month}`);
    if (known !== undefined) return known;
    const person = month === null ? userId : pseudonymOf(await this.keyOf(tx, month), userId);
    const number = await this.find(tx, person, month);
    // A rollback also removes the row of a new number.
    afterCommit(tx, () => this.numbers.set(`${userId} ${month}`, number));
    return number;
  }

  private async find(tx: EntityManager, person: string, month: string | null): Promise<number> {
    const { rows } = await execute<{ number: number }>(
      tx,
      `WITH added AS (
         INSERT INTO usage_people (person, month) SELECT $1::uuid, $2::date
         WHERE NOT EXISTS (SELECT FROM usage_people WHERE person = $1::uuid)
         ON CONFLICT (person) DO NOTHING RETURNING number)
       SELECT number FROM added UNION ALL SELECT number FROM usage_people WHERE person = $1::uuid`,
      [person, month],
    );
    // Another replica added it at the same moment, after this statement began.
    return rows[0]?.number ?? this.find(tx, person, month);
  }

  private async keyOf(tx: EntityManager, month: string): Promise<Buffer> {
    const { raw } = await tx
      .createQueryBuilder()
      .insert()
      .into(UsageMonthKey)
      .values({ month, key: randomBytes(32) })
      .orUpdate(['month'], ['month'])
      .returning('key')
      .execute();
    return (raw as [UsageMonthKey])[0].key;
  }
}
