import { Injectable } from '@nestjs/common';
import { Problem } from '../core/problems/problem.js';
import { PowerBiService } from '../power-bi/power-bi.service.js';
import type { CallOptions, CapacityState } from '../power-bi/power-bi.types.js';
import { isTenantSwitch } from '../power-bi/translate.js';
import type { Report } from '../reports/report.entity.js';
import type { Workspace } from '../workspaces/workspace.entity.js';
import { WorkspacesService } from '../workspaces/workspaces.service.js';
import { EmbedCheckItemDto, type EmbedCheckName } from './dto/embed-check.dto.js';
import type { ViewerIdentity } from './viewer-identity.service.js';

type Outcome = [EmbedCheckItemDto['status'], string];

type Step = () => Promise<Outcome>;

const capacities: Record<CapacityState, Outcome> = {
  active: ['ok', 'The workspace is on a capacity that is active.'],
  paused: ['failed', 'The capacity of the workspace is paused: an administrator must resume it.'],
  shared: ['unknown', 'The workspace is on shared capacity, which gives out few embed tokens, for trials.'],
  unknown: ['unknown', 'The workspace is on a capacity whose state the service principal may not see.'],
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
    viewing: ViewerIdentity | null,
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
      ['embed_token', () => this.token(report, viewing, options)],
    ];
    const checks: EmbedCheckItemDto[] = [];
    for (const [name, step] of steps) {
      const isOver = checks.some(({ status }) => status === 'failed');
      const [status, detail] = isOver ? (['unknown', 'Not looked at.'] as const) : await attempt(step);
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
    return ['ok', 'Power BI answers.'];
  }

  private async hasRole({ pbiWorkspaceId }: Workspace, options: CallOptions): Promise<Outcome> {
    return (await this.powerBi.catalogue.workspace(pbiWorkspaceId, options)) === null
      ? ['failed', 'Power BI has no such workspace any more.']
      : ['ok', 'The service principal has a role in the workspace.'];
  }

  private async reportExists(
    { pbiWorkspaceId }: Workspace,
    { pbiReportId }: Report,
    options: CallOptions,
  ): Promise<Outcome> {
    return (await this.powerBi.catalogue.report(pbiWorkspaceId, pbiReportId, options)) === null
      ? ['failed', 'Power BI no longer has this report.']
      : ['ok', 'Power BI has the report.'];
  }

  private async capacity({ pbiWorkspaceId }: Workspace, options: CallOptions): Promise<Outcome> {
    return capacities[await this.powerBi.catalogue.capacityOf(pbiWorkspaceId, options)];
  }

  /** Requests a token with the shortest possible lifetime and discards it. */
  private async token(
    report: Report,
    viewing: ViewerIdentity | null,
    options: CallOptions,
  ): Promise<Outcome> {
    if (viewing === null) return ['unknown', 'Not asked for: it is not known who is looking.'];
    await this.powerBi.generateToken({
      ...options,
      reports: [report.pbiReportId],
      datasets: report.pbiDatasetId === null ? [] : [report.pbiDatasetId],
      allowEdit: false,
      identities: viewing.identities,
      lifetimeMinutes: 1,
    });
    return ['ok', 'Power BI issued a token for a trial.'];
  }
}

async function attempt(step: Step): Promise<Outcome> {
  try {
    return await step();
  } catch (error) {
    if (!(error instanceof Problem) || error.code === 'caller_gone') throw error;
    if (isTenantSwitch(error)) {
      return ['failed', 'The tenant does not allow service principals: a Power BI administrator must.'];
    }
    return ['failed', error.detail];
  }
}
