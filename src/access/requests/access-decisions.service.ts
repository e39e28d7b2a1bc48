import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AuditService } from '../../platform/audit/audit.service.js';
import { Clock } from '../../core/clock.js';
import { DatabaseService } from '../../core/database/database.service.js';
import type { Principal } from '../../core/http/principal.js';
import type { Target } from '../grants/grant.js';
import { GrantsService } from '../grants/grants.service.js';
import { isActive } from '../../users/users.queries.js';
import { AccessPolicyService } from '../grants/access-policy.service.js';
import { lockUsers } from '../../users/users.queries.js';
import { lockWorkspaces } from '../../workspaces/workspaces.queries.js';
import { AccessRequestMailService } from './access-request-mail.service.js';
import { type AccessDecision, AccessRequest } from './access-request.entity.js';
import { AccessRequestDecided, AccessRequestNotFound, RequesterDisabled } from './access-requests.errors.js';
import { type DecidableRequest, findDecidable, type ListedAccessRequest } from './access-requests.queries.js';

/** Decisions of managers and admins on access requests. */
@Injectable()
export class AccessDecisionsService {
  constructor(
    private readonly database: DatabaseService,
    private readonly policy: AccessPolicyService,
    private readonly grants: GrantsService,
    private readonly audit: AuditService,
    private readonly mail: AccessRequestMailService,
    private readonly clock: Clock,
  ) {}

  /**
   * Grants the requester the role viewer on the target, no longer than the caller's own role lasts. An access that the
   * requester received meanwhile stays. Throws AccessRequestNotFound, AccessRequestDecided, RequesterDisabled or OwnGrant.
   */
  approve(caller: Principal, id: string): Promise<ListedAccessRequest> {
    return this.decide(caller, id, 'approved', async (tx, { requesterId, workspaceId, reportId }) => {
      if (!(await isActive(tx, requesterId))) throw new RequesterDisabled();
      const target: Target = { workspaceId, ...(reportId !== null && { reportId }) };
      if (await this.policy.canSee(requesterId, target, tx)) return;
      const viewer = { ...target, role: 'viewer', expiresAt: null } as const;
      const capped = await this.policy.capToGrantor(caller, [viewer], tx);
      if (capped.length === 0) throw new AccessRequestNotFound();
      const requester = { type: 'user', id: requesterId } as const;
      await this.policy.requireOthers(caller, requester, capped, tx);
      await this.grants.set(tx, caller, requester, capped);
    });
  }

  /** Throws AccessRequestNotFound or AccessRequestDecided. */
  decline(caller: Principal, id: string): Promise<ListedAccessRequest> {
    return this.decide(caller, id, 'declined', () => Promise.resolve());
  }

  /** Rights are checked before the locks, so that only managers can take them, and again under them. */
  private async decide(
    caller: Principal,
    id: string,
    decision: AccessDecision,
    effect: (tx: EntityManager, request: DecidableRequest) => Promise<void>,
  ): Promise<ListedAccessRequest> {
    const { workspaceId, requesterId } = await this.get(this.database.manager, caller, id);
    return this.database.contendedTransaction(async (tx) => {
      await lockWorkspaces(tx, [workspaceId]);
      // An erasure locks the requester, then deletes the request.
      await lockUsers(tx, [requesterId, caller.id], 'KEY SHARE');
      await tx.findOne(AccessRequest, { where: { id }, lock: { mode: 'pessimistic_write' } });
      const request = await this.get(tx, caller, id);
      if (request.status !== 'pending') throw new AccessRequestDecided();
      await effect(tx, request);
      const decidedAt = this.clock.now();
      await tx.update(AccessRequest, { id }, { decision, decidedBy: caller.id, decidedAt });
      await this.audit.record(tx, {
        action: `access_request_${decision}`,
        actorId: caller.id,
        target: { type: 'user', id: request.requesterId },
        details: {
          access_request_id: id,
          workspace_id: workspaceId,
          ...(request.reportId !== null && { report_id: request.reportId }),
        },
      });
      await this.mail.enqueue(tx, { request_id: id, recipient_id: request.requesterId });
      return { ...request, status: decision, decidedAt };
    });
  }

  /** Throws AccessRequestNotFound. */
  private async get(manager: EntityManager, caller: Principal, id: string): Promise<DecidableRequest> {
    const request = await findDecidable(manager, caller, this.clock.now(), id);
    if (request === undefined) throw new AccessRequestNotFound();
    return request;
  }
}
