import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Clock } from '../core/clock.js';
import { Cursors, type Reader } from '../core/lists/cursors.js';
import { listPage, type Page, selectedBy } from '../core/lists/pagination.js';
import { grantSortKeys, type ListGrantsQuery } from './dto/list-grants.dto.js';
import { isRevoked } from './embed.queries.js';
import { isActiveUser } from '../users/users.queries.js';
import { IssuedEmbedToken } from './issued-token.entity.js';

/** Lists issued embed tokens. */
@Injectable()
export class IssuedTokensService {
  constructor(
    @InjectRepository(IssuedEmbedToken) private readonly grants: Repository<IssuedEmbedToken>,
    private readonly cursors: Cursors,
    private readonly clock: Clock,
  ) {}

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
}
