import { Injectable } from '@nestjs/common';
import { Problem } from '../core/problems/problem.js';
import { PowerBiService } from '../power-bi/power-bi.service.js';
import type { CallOptions, CapacityState, EffectiveIdentity } from '../power-bi/power-bi.types.js';
import { isTenantSwitch } from '../power-bi/translate.js';
import type { Report } from '../reports/report.entity.js';
import type { Workspace } from '../workspaces/workspace.entity.js';
import { WorkspacesService } from '../workspaces/workspaces.service.js';
import { EmbedCheckItemDto, type EmbedCheckName } from './dto/embed-check.dto.js';

type Outcome = [EmbedCheckItemDto['status'], string];

type Step = () => Promise<Outcome>;

const capacities: Record<CapacityState, Outcome> = {
  active: ['ok', 'The capacity of the workspace is active.'],
  paused: ['failed', 'The capacity of the workspace is paused. An administrator must resume it.'],
  shared: [
    'unknown',
    'The workspace is on shared capacity, which allows only a few embed tokens for trials.',
  ],
  unknown: ['unknown', 'The service principal cannot read the state of the capacity of the workspace.'],
};

/** Checks a report with live calls to Power BI. */
@Injectable()
export class PowerBiCheckService {
  constructor(
    private readonly powerBi: PowerBiService,
    private readonly workspaces: WorkspacesService,
  ) {}

  /** Runs the checks one after the other; checks after a failure are `unknown`. */
  async check(
    report: Report,
    identities: EffectiveIdentity[] | null,
    signal: AbortSignal,
  ): Promise<EmbedCheckItemDto[]> {
    const workspace = await this.workspaces.find(report.workspaceId);
    if (workspace === null) return [];
    const options = { signal, profileId: workspace.pbiProfileId ?? undefined };
    const steps: [EmbedCheckName, Step][] = [
      ['power_bi', () => this.isReachable(workspace, options)],
      ['service_principal', () => this.hasRole(workspace, options)],
      ['report', () => this.reportExists(workspace, report, options)],
      ['capacity', () => this.capacity(workspace, options)],
      ['embed_token', () => this.token(report, identities, options)],
    ];
    const checks: EmbedCheckItemDto[] = [];
    for (const [name, step] of steps) {
      const isOver = checks.some(({ status }) => status === 'failed');
      const [status, detail] = isOver ? (['unknown', 'Not checked.'] as const) : await attempt(step);
      checks.push({ name, status, detail });
    }
    return checks;
  }

  /** A rejected request also shows that Power BI is reachable; the next step reports the reason. */
  private async isReachable(workspace: Workspace, options: CallOptions): Promise<Outcome> {
    try {
      await this.hasRole(workspace, options);
    } catch (error) {
      if (!(error instanceof Problem) || error.retryAfter !== undefined) throw error;
    }
    return ['ok', 'Power BI is reachable.'];
  }

  private async hasRole({ pbiWorkspaceId }: Workspace, options: CallOptions): Promise<Outcome> {
    return (await this.powerBi.catalogue.workspace(pbiWorkspaceId, options)) === null
      ? ['failed', 'The workspace no longer exists in Power BI.']
      : ['ok', 'The service principal has a role in the workspace.'];
  }

  private async reportExists(
    { pbiWorkspaceId }: Workspace,
    { pbiReportId }: Report,
    options: CallOptions,
  ): Promise<Outcome> {
    return (await this.powerBi.catalogue.report(pbiWorkspaceId, pbiReportId, options)) === null
      ? ['failed', 'The report no longer exists in Power BI.']
      : ['ok', 'The report exists in Power BI.'];
  }

  private async capacity({ pbiWorkspaceId }: Workspace, options: CallOptions): Promise<Outcome> {
    return capacities[await this.powerBi.catalogue.capacityOf(pbiWorkspaceId, options)];
  }

  /** Requests a token with the shortest possible lifetime and discards it. */
  private async token(
    report: Report,
    identities: EffectiveIdentity[] | null,
    options: CallOptions,
  ): Promise<Outcome> {
    if (identities === null) return ['unknown', 'Not requested: the effective identity is unknown.'];
    await this.powerBi.generateToken({
      ...options,
      reports: [report.pbiReportId],
      datasets: report.pbiDatasetId === null ? [] : [report.pbiDatasetId],
      isPaginated: report.reportType === 'PaginatedReport',
      allowEdit: false,
      identities,
      lifetimeMinutes: 1,
    });
    return ['ok', 'Power BI issued a test token.'];
  }
}

async function attempt(step: Step): Promise<Outcome> {
  try {
    return await step();
  } catch (error) {
    if (!(error instanceof Problem) || error.code === 'caller_gone') throw error;
    if (isTenantSwitch(error)) {
      return [
        'failed',
        'The tenant does not allow service principals. A Power BI administrator must allow them.',
      ];
    }
    return ['failed', error.detail];
  }
}
