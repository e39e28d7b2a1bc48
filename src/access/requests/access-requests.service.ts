import { Injectable } from '@nestjs/common';
import { type EntityManager, MoreThan } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { AuditService } from '../../platform/audit/audit.service.js';
import { Clock } from '../../core/clock.js';
import { DatabaseService } from '../../core/database/database.service.js';
import { lockName } from '../../core/database/locks.js';
import type { Principal } from '../../core/http/principal.js';
import { Cursors } from '../../core/lists/cursors.js';
import { listPage, type Page } from '../../core/lists/pagination.js';
import { InvalidRequest } from '../../core/problems/problem.js';
import { AccessPolicyService } from '../grants/access-policy.service.js';
import { AccessRequestMailService } from './access-request-mail.service.js';
import { AccessRequest } from './access-request.entity.js';
import { TooManyAccessRequests } from './access-requests.errors.js';
import {
  listAccessRequests,
  type ListedAccessRequest,
  storeRequest,
  workspaceOf,
} from './access-requests.queries.js';
import {
  accessRequestSortKeys,
  type CreateAccessRequestDto,
  ListAccessRequestsQuery,
} from './dto/access-request.dto.js';

const HOUR = 3600;
const MAX_PER_HOUR = 20;

/** Throws InvalidRequest unless exactly one target is given. */
function targetOf({
  report_id,
  workspace_id,
}: CreateAccessRequestDto): Pick<AccessRequest, 'targetType' | 'targetId'> {
  if (report_id !== undefined && workspace_id === undefined)
    return { targetType: 'report', targetId: report_id };
  if (workspace_id !== undefined && report_id === undefined)
    return { targetType: 'workspace', targetId: workspace_id };
  throw new InvalidRequest([
    { pointer: '/report_id', detail: 'either report_id or workspace_id is required' },
  ]);
}

/** Requests for access, as those who need it send them. */
@Injectable()
export class AccessRequestsService {
  constructor(
    private readonly database: DatabaseService,
    private readonly mail: AccessRequestMailService,
    private readonly audit: AuditService,
    private readonly cursors: Cursors,
    private readonly clock: Clock,
    private readonly policy: AccessPolicyService,
  ) {}

  /**
   * The result is the same whether or not the target exists and whether or not the caller already has access to it. A
   * second request for the same target changes nothing while the first one is pending, unless its target did not exist. Throws
   * InvalidRequest and TooManyAccessRequests.
   */
  async create(caller: Principal, { reason, ...body }: CreateAccessRequestDto): Promise<void> {
    const target = targetOf(body);
    await this.database.transaction(async (tx) => {
      await this.requireShare(tx, caller.id);
      const workspaceId = await workspaceOf(tx, target);
      const reportId = target.targetType === 'report' ? target.targetId : undefined;
      const hasAccess =
        workspaceId !== null &&
        (caller.role === 'admin' || (await this.policy.canSee(caller.id, { workspaceId, reportId }, tx)));
      if (hasAccess) return;
      const id = await storeRequest(tx, {
        id: uuidv7(),
        requesterId: caller.id,
        ...target,
        workspaceId,
        reason: reason ?? null,
        createdAt: this.clock.now(),
      });
      if (id === undefined) return;
      await this.audit.record(tx, {
        action: 'access_requested',
        actorId: caller.id,
        target: { type: target.targetType, id: target.targetId },
        details: { access_request_id: id },
      });
      await this.mail.enqueue(tx, { request_id: id });
    });
  }

  list(
    caller: Principal,
    { mine, status, ...page }: ListAccessRequestsQuery,
  ): Promise<Page<ListedAccessRequest>> {
    const query = { caller, now: this.clock.now(), mine, status };
    return listPage(
      {
        name: 'access_requests',
        read: (keyset) => listAccessRequests(this.database.manager, { ...query, keyset }),
      },
      { reader: caller, ...page, keys: accessRequestSortKeys, filters: { mine, status } },
      this.cursors,
    );
  }

  /** The lock serializes concurrent requests of one person, so that together they cannot exceed the limit. */
  private async requireShare(tx: EntityManager, requesterId: string): Promise<void> {
    await lockName(tx, `access-requests:${requesterId}`);
    const since = this.clock.in(-HOUR);
    const [oldest] = await tx.find(AccessRequest, {
      where: { requesterId, createdAt: MoreThan(since) },
      order: { createdAt: 'DESC' },
      skip: MAX_PER_HOUR - 1,
      take: 1,
    });
    if (oldest === undefined) return;
    throw new TooManyAccessRequests(Math.ceil((oldest.createdAt.getTime() - since.getTime()) / 1000) || 1);
  }
}
