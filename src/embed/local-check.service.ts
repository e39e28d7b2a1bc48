import { Injectable } from '@nestjs/common';
import type { Dataset } from '../catalogue/dataset.entity.js';
import { DatasetsService } from '../catalogue/datasets.service.js';
import type { Principal } from '../core/http/principal.js';
import { Problem } from '../core/problems/problem.js';
import { PowerBiService } from '../power-bi/power-bi.service.js';
import type { EffectiveIdentity } from '../power-bi/power-bi.types.js';
import { AccessService } from '../reports/access.service.js';
import type { Report } from '../reports/report.entity.js';
import { UsersService } from '../users/users.service.js';
import { EmbedCheckItemDto, type EmbedCheckName } from './dto/embed-check.dto.js';
import { effectiveIdentity } from './effective-identity.js';
import { EmbedRevocationsService } from './embed-revocations.service.js';

const checked =
  (status: EmbedCheckItemDto['status']) =>
  (name: EmbedCheckName, detail: string): EmbedCheckItemDto => ({ name, status, detail });
const ok = checked('ok');
const failed = checked('failed');
const unknown = checked('unknown');

const reasons = {
  admin: 'The user is an administrator.',
  grant: 'The user has a grant on this report or its workspace.',
  grant_expired: 'The grant of the user on this report or its workspace has expired.',
  no_grant: 'The user has no grant on this report or its workspace.',
  user_disabled: 'The user is disabled.',
  report_retired: 'The report no longer exists in Power BI.',
};

/** Checks a report, its dataset and the rights of a user in the database. */
@Injectable()
export class LocalCheckService {
  constructor(
    private readonly access: AccessService,
    private readonly revocations: EmbedRevocationsService,
    private readonly datasets: DatasetsService,
    private readonly users: UsersService,
    private readonly powerBi: PowerBiService,
  ) {}

  /** `identities` is null if the effective identity cannot be determined. */
  async check(
    caller: Principal,
    report: Report,
    userId: string | undefined,
  ): Promise<{ identities: EffectiveIdentity[] | null; checks: EmbedCheckItemDto[] }> {
    const checks =
      userId === undefined
        ? [unknown('access', 'No user is specified.'), await this.revoked(report, null)]
        : [await this.mayView(caller, report, userId), await this.revoked(report, userId)];
    checks.push(
      this.powerBi.hosts.allow(report.embedUrl)
        ? ok('embed_url', 'The embed URL is on a host of the Power BI cloud.')
        : failed('embed_url', 'The embed URL is not on a host of the Power BI cloud.'),
    );
    const { identities, checks: identity } = await this.identity(report, userId);
    return { identities, checks: [...checks, ...identity] };
  }

  private async mayView(caller: Principal, report: Report, userId: string): Promise<EmbedCheckItemDto> {
    const { allowed, reason } = await this.access.explain(caller, { user_id: userId, report_id: report.id });
    return allowed ? ok('access', reasons[reason]) : failed('access', reasons[reason]);
  }

  private async revoked(report: Report, userId: string | null): Promise<EmbedCheckItemDto> {
    return (await this.revocations.holds(userId, report))
      ? failed('revocation', 'Embedding is blocked. An administrator can remove the block.')
      : ok('revocation', 'Embedding is not blocked.');
  }

  private async identity(
    report: Report,
    userId: string | undefined,
  ): Promise<{ identities: EffectiveIdentity[] | null; checks: EmbedCheckItemDto[] }> {
    const { workspaceId, pbiDatasetId } = report;
    const dataset =
      pbiDatasetId === null ? null : await this.datasets.findForReport(workspaceId, pbiDatasetId);
    const source = dataset === null ? sourceless(report) : ok('dataset', 'The dataset is in the catalogue.');
    if (userId === undefined && dataset?.identityPolicy && dataset.identityRequired !== false) {
      const detail = 'The dataset requires an effective identity. Specify a user.';
      return { identities: null, checks: [source, unknown('identity', detail)] };
    }
    try {
      const identity = await this.identityOf(dataset, report, userId ?? '');
      const detail =
        identity === null
          ? 'No effective identity is sent: the dataset is not known to require one.'
          : describeIdentity(identity);
      const isGuess = dataset !== null && dataset.identityRequired === null && identity === null;
      const check = isGuess ? unknown('identity', detail) : ok('identity', detail);
      return { identities: identity === null ? [] : [identity], checks: [source, check] };
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return { identities: null, checks: [source, failed('identity', error.detail)] };
    }
  }

  /** Null if none is required. Throws IdentityRequired, whose detail names what an admin must set. */
  private async identityOf(
    dataset: Dataset | null,
    report: Report,
    userId: string,
  ): Promise<EffectiveIdentity | null> {
    if (dataset === null || dataset.identityRequired === false) return null;
    const viewer = dataset.identityPolicy === null ? null : await this.users.get(userId);
    return effectiveIdentity(dataset, viewer, report);
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
