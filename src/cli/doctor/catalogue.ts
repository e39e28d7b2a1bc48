import type { INestApplicationContext } from '@nestjs/common';
import type { Dataset } from '../../catalogue/dataset.entity.js';
import { DatasetsService } from '../../catalogue/datasets.service.js';
import { ListDatasetsQuery } from '../../catalogue/dto/dataset.dto.js';
import type { EmbedCheckName } from '../../embed/dto/embed-check.dto.js';
import { EmbedCheckService } from '../../embed/embed-check.service.js';
import { ListReportsQuery } from '../../reports/dto/report.dto.js';
import type { Report } from '../../reports/report.entity.js';
import { ReportNotFound } from '../../reports/reports.errors.js';
import { ReportsService } from '../../reports/reports.service.js';
import { everyPage } from '../output.js';
import { readingActor } from '../system-actor.js';
import { failed, type Finding, ok, warning } from './finding.js';
import { notChecked } from './power-bi.js';

/** Limits the trials: each costs several calls to Power BI and a one-minute embed token. */
const TRIALS = 20;
const TRIAL_MS = 30_000;

/** Compares Power BI's identity requirements with the identity policy that an admin set. */
function flagsOf({ name, identityRequired, identityRolesRequired, identityPolicy }: Dataset): Finding[] {
  const api = 'Set the policy: PUT /api/datasets/<id>/identity-policy.';
  if (identityRequired === true && identityPolicy === null) {
    return [failed('rls', `"${name}" requires an effective identity but has no identity policy.`, api)];
  }
  if (identityRolesRequired === true && identityPolicy?.roles.length === 0) {
    return [failed('rls', `"${name}" requires roles, but its identity policy has none.`, api)];
  }
  if (identityRequired === false && identityPolicy !== null) {
    const detail = `"${name}" has an identity policy but no row-level security: every user sees all rows.`;
    return [warning('rls', detail, 'To restrict rows, define roles in the dataset.')];
  }
  if (identityRequired === null && identityPolicy === null) {
    const detail = `Power BI does not report whether "${name}" requires an effective identity.`;
    return [
      warning('rls', detail, 'Give the service principal write access to the dataset, or set a policy.'),
    ];
  }
  return [];
}

export async function rls(app: INestApplicationContext): Promise<Finding[]> {
  const service = app.get(DatasetsService);
  const datasets = await everyPage((cursor) =>
    service.list(readingActor, { ...new ListDatasetsQuery(), cursor }),
  );
  if (datasets.length === 0) return [notChecked('rls')];
  const findings = datasets.flatMap(flagsOf);
  return findings.length > 0
    ? findings
    : [ok('rls', `${datasets.length} dataset(s) match their identity policies.`)];
}

/** Embeds one report of each workspace as a trial: embedding requires a higher role than listing. */
export async function workspaceRights(app: INestApplicationContext): Promise<Finding[]> {
  const service = app.get(ReportsService);
  const reports = await everyPage((cursor) =>
    service.list(readingActor, { ...new ListReportsQuery(), cursor }),
  );
  if (reports.length === 0) return [notChecked('workspace_rights')];
  const samples = [...new Map(reports.map((report) => [report.workspaceId, report])).values()];
  const findings: Finding[] = [];
  for (const report of samples.slice(0, TRIALS)) findings.push(...(await trial(app, report)));
  const detail = `${Math.min(samples.length, TRIALS)} of ${samples.length} workspace(s) were checked.`;
  return findings.length > 0 ? findings : [ok('workspace_rights', detail)];
}

const retryAdvice = 'Run the doctor again later.';
const roleAdvice = 'Give the service principal the Member role, or a higher one, in the workspace.';

/** By failed step of a trial. Without `identity`, which the `rls` check reports, and `revocation`, a decision of an administrator. */
const advices: Partial<Record<EmbedCheckName, string>> = {
  embed_url: 'Check POWERBI_CLOUD and POWERBI_API_URL, then run `node bin/vitrine.js sync`.',
  power_bi: retryAdvice,
  service_principal: roleAdvice,
  report: 'Run `node bin/vitrine.js sync`.',
  capacity: 'Resume the capacity, or assign the workspace to another one.',
  embed_token: roleAdvice,
};

async function trial(
  app: INestApplicationContext,
  { id, name }: Pick<Report, 'id' | 'name'>,
): Promise<Finding[]> {
  const signal = AbortSignal.timeout(TRIAL_MS);
  try {
    const { checks } = await app.get(EmbedCheckService).check(readingActor, id, {}, signal);
    return checks.flatMap(({ name: step, status, detail }) => {
      const advice = advices[step];
      if (status !== 'failed' || advice === undefined) return [];
      return [failed('workspace_rights', `"${name}", ${step}: ${detail}`, advice)];
    });
  } catch (error) {
    // A sync has retired it since the list was read.
    if (error instanceof ReportNotFound) return [];
    if (!signal.aborted) throw error;
    const detail = `"${name}": Power BI did not respond within ${TRIAL_MS / 1000} seconds.`;
    return [failed('workspace_rights', detail, retryAdvice)];
  }
}
