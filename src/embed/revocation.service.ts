import { Injectable } from '@nestjs/common';
import { InvalidRequest } from '../core/problems/problem.js';
import type { Principal } from '../core/http/principal.js';
import { ReportsService } from '../reports/reports.service.js';
import { UsersService } from '../users/users.service.js';
import { AccessPolicyService } from '../access/grants/access-policy.service.js';
import { WorkspacesService } from '../workspaces/workspaces.service.js';
import {
  NewEmbedRevocationDto,
  EmbedRevocationDto,
  type RevokeEmbeddingDto,
} from './dto/embed-revocation.dto.js';
import { RevocationNotFound, RevocationNeedsManager } from './embed.errors.js';
import type { EmbedRevocation } from './embed-revocation.entity.js';
import { EmbedRevocationsService } from './embed-revocations.service.js';
import { EmbedTokensService } from './embed-tokens.service.js';

/** Creates revocations, which stop new embed tokens, and lifts them. */
@Injectable()
export class RevocationService {
  constructor(
    private readonly reports: ReportsService,
    private readonly workspaces: WorkspacesService,
    private readonly policy: AccessPolicyService,
    private readonly users: UsersService,
    private readonly revocations: EmbedRevocationsService,
    private readonly tokens: EmbedTokensService,
  ) {}

  /**
   * For admins, and for managers within their workspaces. Throws InvalidRequest, ReportNotFound, WorkspaceNotFound,
   * UserNotFound or RevocationNeedsManager.
   */
  async revoke(caller: Principal, request: RevokeEmbeddingDto): Promise<NewEmbedRevocationDto> {
    const { user_id: userId = null, report_id: reportId = null, workspace_id: workspaceId = null } = request;
    if ((userId ?? reportId ?? workspaceId) === null) {
      throw new InvalidRequest([{ pointer: '', detail: 'specify a user_id, a report_id or a workspace_id' }]);
    }
    await this.requireManager(caller, reportId, workspaceId);
    if (caller.role === 'admin' && userId !== null) await this.users.get(userId);
    const revoked = { userId, reportId, workspaceId, reason: request.reason ?? null };
    const { revocation, active } = await this.revocations.revoke(caller, revoked);
    this.tokens.removeHeld(revoked);
    return {
      ...EmbedRevocationDto.from(revocation),
      active_tokens: active.count,
      ended_at_latest: active.lastExpiresAt,
    };
  }

  /**
   * Managers can lift only the revocations that they created, so that an admin's revocation takes precedence, and only while
   * they manage what these apply to. Throws RevocationNotFound.
   */
  async lift(caller: Principal, id: string): Promise<void> {
    const revocation = await this.revocations.get(id);
    if (caller.role !== 'admin' && !(await this.isOwn(caller, revocation))) throw new RevocationNotFound();
    await this.revocations.lift(caller, id);
  }

  private async isOwn(
    caller: Principal,
    { revokedBy, reportId, workspaceId }: Pick<EmbedRevocation, 'revokedBy' | 'reportId' | 'workspaceId'>,
  ): Promise<boolean> {
    if (revokedBy !== caller.id) return false;
    const within = workspaceId === null ? [] : [workspaceId];
    if (reportId !== null) {
      const found = (await this.reports.visibleAmong(caller, [reportId])).get(reportId);
      if (found === undefined) return false;
      within.push(found);
    }
    return within.length > 0 && this.policy.canManage(caller, within);
  }

  /**
   * Throws ReportNotFound or WorkspaceNotFound for what the caller cannot see, RevocationNeedsManager for what the
   * caller can see but not manage.
   */
  private async requireManager(
    caller: Principal,
    reportId: string | null,
    workspaceId: string | null,
  ): Promise<void> {
    const within: string[] = [];
    if (reportId !== null) within.push((await this.reports.get(caller, reportId)).workspaceId);
    if (workspaceId !== null) within.push((await this.workspaces.get(caller, workspaceId)).id);
    if (caller.role === 'admin') return;
    const may = within.length > 0 && (await this.policy.canManage(caller, within));
    if (!may) throw new RevocationNeedsManager();
  }
}
