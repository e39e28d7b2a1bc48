import type { INestApplicationContext } from '@nestjs/common';
import { type ListedWorkspace, WorkspaceListingService } from '../../catalogue/workspace-listing.service.js';
import { isTenantSwitch } from '../../power-bi/translate.js';
import { upstreamCause } from '../../power-bi/upstream-error.js';
import { failed, type Finding, messageOf, ok, warning } from './finding.js';

const credentialsAdvice =
  'Check POWERBI_TENANT_ID, POWERBI_CLIENT_ID, and that the secret or certificate has not expired.';
const tenantAdvice =
  'In the tenant settings of the Power BI admin portal, allow service principals to use Power BI APIs.';
const upstreamAdvice = 'Check the address of the cloud and try again later.';

const detailOf = (error: unknown): string => {
  const cause = upstreamCause(error);
  return cause?.facts.upstreamMessage ?? messageOf(cause ?? error);
};

/**
 * Lists what a sync would find. Calls to Power BI need a token from Entra; the cause of the error identifies which of the two
 * failed.
 */
export async function powerBi(
  app: INestApplicationContext,
): Promise<{ findings: Finding[]; workspaces: ListedWorkspace[] }> {
  try {
    const { found, failed: unlisted } = await app.get(WorkspaceListingService).listAllProfiles([], {});
    const workspaces = [...found.values()];
    const entra = ok('entra', 'Entra accepts the credentials of the service.');
    const count = `The service principal has a role in ${workspaces.length} workspace(s).`;
    const advice = 'Add the service principal to the workspaces with the Member role.';
    const findings = [
      entra,
      workspaces.length > 0 ? ok('power_bi', count) : failed('power_bi', count, advice),
      ...[...unlisted].map(([profile, problem]) => profileFailure(profile, detailOf(problem))),
    ];
    return { findings, workspaces };
  } catch (error) {
    const detail = detailOf(error);
    if (upstreamCause(error)?.facts.upstream === 'entra')
      return { findings: [failed('entra', detail, credentialsAdvice)], workspaces: [] };
    const advice = isTenantSwitch(error) ? tenantAdvice : upstreamAdvice;
    return { findings: [failed('power_bi', detail, advice)], workspaces: [] };
  }
}

function profileFailure(profile: string | null, detail: string): Finding {
  const who = profile === null ? 'the service principal itself' : `the profile ${profile}`;
  const advice = profile === null ? upstreamAdvice : 'Check POWERBI_PROFILES, and that the profile exists.';
  return failed('power_bi', `The workspaces of ${who} cannot be listed: ${detail}`, advice);
}

export const notChecked = (check: string): Finding =>
  warning(check, 'The catalogue has no data to check yet.', 'Run `node bin/vitrine.js sync`.');
