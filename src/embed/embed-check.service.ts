import { Injectable } from '@nestjs/common';
import { Problem } from '../core/problems/problem.js';
import type { Principal } from '../core/http/principal.js';
import { EmbedHosts } from '../power-bi/embed-hosts.js';
import type { EffectiveIdentity } from '../power-bi/power-bi.types.js';
import type { Report } from '../reports/report.entity.js';
import { AccessService } from '../reports/access.service.js';
import { ReportsService } from '../reports/reports.service.js';
import { MembershipsService } from '../workspaces/memberships.service.js';
import { WorkspaceManagerRequired } from '../workspaces/workspaces.errors.js';
import {
  EmbedCheckDto,
  EmbedCheckItemDto,
  type EmbedCheckName,
  EmbedCheckQuery,
} from './dto/embed-check.dto.js';
import { EmbedRevocationsService } from './embed-revocations.service.js';
import { PowerBiCheckService } from './power-bi-check.service.js';
import { type ViewerIdentity, ViewerIdentityService } from './viewer-identity.service.js';

export const ok = (name: EmbedCheckName, detail: string): EmbedCheckItemDto => ({
  name,
  status: 'ok',
  detail,
});
export const failed = (name: EmbedCheckName, detail: string): EmbedCheckItemDto => ({
  name,
  status: 'failed',
  detail,
});
export const unknown = (name: EmbedCheckName, detail: string): EmbedCheckItemDto => ({
  name,
  status: 'unknown',
  detail,
});

const reasons = {
  admin: 'The user is an admin.',
  grant: 'The user has a grant in the workspace.',
  grant_expired: 'The grant of the user in the workspace has expired.',
  no_grant: 'The user has no grant in the workspace.',
  user_disabled: 'The user is disabled.',
  report_retired: 'The report no longer exists in Power BI.',
};

@Injectable()
export class EmbedCheckService {
  constructor(
    private readonly reports: ReportsService,
    private readonly memberships: MembershipsService,
    private readonly access: AccessService,
    private readonly revocations: EmbedRevocationsService,
    private readonly viewers: ViewerIdentityService,
    private readonly hosts: EmbedHosts,
    private readonly powerBi: PowerBiCheckService,
  ) {}

  /** Throws ReportNotFound, WorkspaceManagerRequired, or UserNotFound for a user whom the caller may not see. */
  async check(
    caller: Principal,
    reportId: string,
    { user_id: userId }: EmbedCheckQuery,
    signal: AbortSignal,
  ): Promise<EmbedCheckDto> {
    const report = await this.reports.get(caller, reportId);
    const may = await this.memberships.hasRoleInAll(caller, 'manager', [report.workspaceId]);
    if (!may) throw new WorkspaceManagerRequired();
    const { viewer, checks: local } = await this.localChecks(caller, report, userId);
    const checks = [...local, ...(await this.powerBi.check(report, viewer, signal))];
    const embeds = checks.every(({ status }) => status !== 'failed') && checks.at(-1)?.status === 'ok';
    return { report_id: report.id, user_id: userId ?? null, embeds, checks };
  }

  private async localChecks(
    caller: Principal,
    report: Report,
    userId: string | undefined,
  ): Promise<{ viewer: ViewerIdentity | null; checks: EmbedCheckItemDto[] }> {
    const checks =
      userId === undefined
        ? [unknown('access', 'No user is specified.'), await this.revoked(report, caller.id)]
        : [await this.mayView(caller, report, userId), await this.revoked(report, userId)];
    checks.push(
      this.hosts.allow(report.embedUrl)
        ? ok('embed_url', 'The embed URL is on a host of the Power BI cloud.')
        : failed('embed_url', 'The embed URL is not on a host of the Power BI cloud.'),
    );
    const { viewer, checks: identity } = await this.identity(report, userId);
    return { viewer, checks: [...checks, ...identity] };
  }

  private async mayView(caller: Principal, report: Report, userId: string): Promise<EmbedCheckItemDto> {
    const { allowed, reason } = await this.access.explain(caller, { user_id: userId, report_id: report.id });
    return allowed ? ok('access', reasons[reason]) : failed('access', reasons[reason]);
  }

  private async revoked(report: Report, userId: string): Promise<EmbedCheckItemDto> {
    return (await this.revocations.holds(userId, report))
      ? failed('revocation', 'Embedding is revoked. An admin can lift the revocation.')
      : ok('revocation', 'Embedding is not revoked.');
  }

  private async identity(
    report: Report,
    userId: string | undefined,
  ): Promise<{ viewer: ViewerIdentity | null; checks: EmbedCheckItemDto[] }> {
    const dataset = await this.viewers.datasetOf(report);
    const source = dataset === null ? sourceless(report) : ok('dataset', 'The dataset is in the catalogue.');
    if (userId === undefined && dataset?.identityPolicy && dataset.identityRequired !== false) {
      const detail = 'The dataset requires an effective identity. Specify a user.';
      return { viewer: null, checks: [source, unknown('identity', detail)] };
    }
    try {
      const viewer = await this.viewers.resolve(report, userId ?? '');
      const [identity] = viewer.identities;
      const detail =
        identity === undefined
          ? 'No effective identity is sent: the dataset is not known to require one.'
          : describeIdentity(identity);
      const isGuess = dataset !== null && dataset.identityRequired === null && identity === undefined;
      return { viewer, checks: [source, isGuess ? unknown('identity', detail) : ok('identity', detail)] };
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return { viewer: null, checks: [source, failed('identity', error.detail)] };
    }
  }
}

function describeIdentity({ username, roles, customData }: EffectiveIdentity): string {
  const parts = [`The effective identity is ${username}`];
  if (roles.length > 0) parts.push(`in the ${roles.length === 1 ? 'role' : 'roles'} ${roles.join(', ')}`);
  if (customData !== undefined) parts.push('with custom data');
  return `${parts.join(', ')}.`;
}

const sourceless = ({ pbiDatasetId }: Report): EmbedCheckItemDto =>
  pbiDatasetId === null
    ? ok('dataset', 'The report has no dataset of its own.')
    : unknown('dataset', 'The dataset is not in the catalogue: the service principal may lack access to it.');
