import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Clock } from '../core/clock.js';
import { Config } from '../core/config/config.js';
import { DatabaseService } from '../core/database/database.service.js';
import { deleteInBatches } from '../core/database/delete-batch.js';
import { maintainPartitions } from '../core/database/partitions.js';
import { Cursors, type Reader } from '../core/lists/cursors.js';
import { listPage, type Page, selectedBy } from '../core/lists/pagination.js';
import { JobsService } from '../platform/jobs/jobs.service.js';
import { grantSortKeys, type ListGrantsQuery } from './dto/embed-grant.dto.js';
import { isRevoked } from './embed.queries.js';
import { isActiveUser } from '../users/users.queries.js';
import { IssuedEmbedToken } from './issued-token.entity.js';

const CHUNK = 5000;
const DAY_SECONDS = 86_400;

/**
 * A token of a few minutes is kept as long as one of an hour: `openDays` counts the tokens of a day again for an hour longer than the
 * retention period.
 */
const OLD = `expires_at < $1 AND issued_at < $1::timestamptz - interval '1 hour'`;

/** Lists issued embed tokens, and removes old ones. */
@Injectable()
export class IssuedTokensService implements OnApplicationBootstrap {
  constructor(
    @InjectRepository(IssuedEmbedToken) private readonly grants: Repository<IssuedEmbedToken>,
    private readonly cursors: Cursors,
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly database: DatabaseService,
    private readonly jobs: JobsService,
  ) {}

  onApplicationBootstrap(): void {
    this.jobs.repeat('issued_token_cleanup', '23 2 * * *', () => this.maintain(), { atStart: true });
  }

  list(
    reader: Reader,
    { active, user_id, report_id, workspace_id, ...page }: ListGrantsQuery,
  ): Promise<Page<IssuedEmbedToken>> {
    const query = this.grants.createQueryBuilder('embedGrant').where('true');
    const filters = { user_id, report_id, workspace_id };
    const columns = { user_id: 'userId', report_id: 'reportId', workspace_id: 'workspaceId' } as const;
    for (const [name, column] of Object.entries(columns)) {
      const value = filters[name as keyof typeof filters];
      if (value !== undefined) query.andWhere(`embedGrant.${column} = :${name}`, { [name]: value });
    }
    if (active !== undefined) {
      query.andWhere(`embedGrant.expiresAt ${active ? '>' : '<='} :now`, { now: this.clock.now() });
    }
    return listPage(
      selectedBy(query),
      { reader, ...page, keys: grantSortKeys, filters: { ...filters, active } },
      this.cursors,
    );
  }

  /**
   * Remaining lifetime, in seconds, of the last active token whose user is disabled or to which a revocation applies; 0
   * if there is none.
   */
  async residualSeconds(): Promise<number> {
    const now = this.clock.now();
    const row = await this.grants
      .createQueryBuilder('embedGrant')
      .select('max(embedGrant.expiresAt)', 'last')
      .where('embedGrant.expiresAt > :now', { now })
      .andWhere(
        `(${isRevoked('embedGrant.user_id', 'embedGrant.report_id', 'embedGrant.workspace_id')}
          OR NOT ${isActiveUser('embedGrant.user_id')})`,
      )
      .getRawOne<{ last: Date | null }>();
    return row?.last == null ? 0 : (row.last.getTime() - now.getTime()) / 1000;
  }

  /**
   * Creates the monthly partitions of issued tokens ahead of time, and removes tokens that expired before the retention
   * period.
   */
  async maintain(): Promise<void> {
    await maintainPartitions(this.database, 'issued_tokens', this.config.embed.grantDays);
    await this.removeOld();
  }

  /** Deletes from partitions that cannot be dropped yet. */
  async removeOld(): Promise<void> {
    const time = this.clock.in(-this.config.embed.grantDays * DAY_SECONDS);
    await deleteInBatches(this.database, IssuedEmbedToken, { where: OLD, time, limit: CHUNK });
  }
}
