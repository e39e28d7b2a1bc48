import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Repository } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { AuditService } from '../platform/audit/audit.service.js';
import { Clock } from '../core/clock.js';
import { Cursors, type Reader } from '../core/lists/cursors.js';
import { listPage, type Page, selectedBy } from '../core/lists/pagination.js';
import type { Principal } from '../core/http/principal.js';
import { CacheInvalidationService } from '../core/database/cache-invalidation.service.js';
import { DatabaseService } from '../core/database/database.service.js';
import { execute } from '../core/database/execute.js';
import type { Report } from '../reports/report.entity.js';
import { type ListRevocationsQuery, revocationSortKeys } from './dto/embed-revocation.dto.js';
import { isRevoked, lockForRevocation } from './embed.queries.js';
import { RevocationNotFound } from './embed.errors.js';
import { type ActiveTokens, countActiveTokens } from './issued-tokens.queries.js';
import { EmbedRevocation, type Revoked } from './embed-revocation.entity.js';

/** Revocations are read from the database for every embed token (`embed.queries.ts`), never from a cache. */
@Injectable()
export class EmbedRevocationsService {
  constructor(
    @InjectRepository(EmbedRevocation) private readonly revocations: Repository<EmbedRevocation>,
    private readonly database: DatabaseService,
    private readonly cursors: Cursors,
    private readonly clock: Clock,
    private readonly audit: AuditService,
    private readonly changes: CacheInvalidationService,
  ) {}

  list(reader: Reader, query: ListRevocationsQuery): Promise<Page<EmbedRevocation>> {
    const builder = this.revocations.createQueryBuilder('revocation').where('revocation.liftedAt IS NULL');
    return listPage(selectedBy(builder), { reader, ...query, keys: revocationSortKeys }, this.cursors);
  }

  async get(id: string): Promise<EmbedRevocation> {
    const revocation = await this.revocations.findOneBy({ id });
    if (revocation === null || revocation.liftedAt !== null) throw new RevocationNotFound();
    return revocation;
  }

  /** Returns the revocation with the active tokens that it matches: none is issued between the two. */
  revoke(
    caller: Principal,
    revoked: Revoked,
  ): Promise<{ revocation: EmbedRevocation; active: ActiveTokens }> {
    return this.database.transaction(async (tx) => {
      await lockForRevocation(tx, caller.id, revoked);
      const row = { id: uuidv7(), ...revoked, revokedBy: caller.id, revokedAt: this.clock.now() };
      await this.audit.record(tx, {
        action: 'embed_access_revoked',
        actorId: caller.id,
        target: { type: 'embed_revocation', id: row.id },
        details: {
          user_id: revoked.userId,
          report_id: revoked.reportId,
          workspace_id: revoked.workspaceId,
        },
      });
      this.changes.publish(tx, 'rights', revoked.userId ?? undefined);
      const revocation = await tx.save(EmbedRevocation, { ...row, liftedBy: null, liftedAt: null });
      return { revocation, active: await countActiveTokens(tx, revoked, this.clock.now()) };
    });
  }

  async lift(caller: Principal, id: string): Promise<void> {
    const lifted = { liftedBy: caller.id, liftedAt: this.clock.now() };
    await this.database.transaction(async (tx) => {
      const { affected } = await tx.update(EmbedRevocation, { id, liftedAt: IsNull() }, lifted);
      if (affected === 0) throw new RevocationNotFound();
      this.changes.publish(tx, 'rights');
      await this.audit.record(tx, {
        action: 'embed_access_restored',
        actorId: caller.id,
        target: { type: 'embed_revocation', id },
      });
    });
  }

  /** Whether an active revocation applies to this user and report; without a user, to the report for everyone. */
  async holds(userId: string | null, { id, workspaceId }: Report): Promise<boolean> {
    const text = `SELECT ${isRevoked('$1', '$2', '$3')} AS is_revoked`;
    const { rows } = await execute<{ is_revoked: boolean }>(this.revocations.manager, text, [
      userId,
      id,
      workspaceId,
    ]);
    return rows[0]?.is_revoked === true;
  }
}
