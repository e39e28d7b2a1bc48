import type { INestApplicationContext } from '@nestjs/common';
import type { PbiWorkspace } from '../../power-bi/power-bi.types.js';
import { PowerBiService } from '../../power-bi/power-bi.service.js';
import { isTenantSwitch } from '../../power-bi/translate.js';
import { upstreamCause } from '../../power-bi/upstream-error.js';
import { failed, type Finding, messageOf, ok, warning } from './finding.js';

const credentialsAdvice =
  'Check POWERBI_TENANT_ID, POWERBI_CLIENT_ID, and that the secret or certificate has not expired.';
const tenantAdvice =
  'In the tenant settings of the Power BI admin portal, allow service principals to use Power BI APIs.';

/** Calls to Power BI need a token from Entra; the cause of the error identifies which of the two failed. */
export async function powerBi(
  app: INestApplicationContext,
): Promise<{ findings: Finding[]; workspaces: PbiWorkspace[] }> {
  try {
    const workspaces = await app.get(PowerBiService).listWorkspaces();
    const entra = ok('entra', 'Entra accepts the credentials of the service.');
    const count = `The service principal has a role in ${workspaces.length} workspace(s).`;
    const advice = 'Add the service principal to the workspaces with the Member role.';
    const findings = [
      entra,
      workspaces.length > 0 ? ok('power_bi', count) : failed('power_bi', count, advice),
    ];
    return { findings, workspaces };
  } catch (error) {
    const cause = upstreamCause(error);
    const detail = cause?.facts.upstreamMessage ?? messageOf(cause ?? error);
    if (cause?.facts.upstream === 'entra')
      return { findings: [failed('entra', detail, credentialsAdvice)], workspaces: [] };
    const advice = isTenantSwitch(error)
      ? tenantAdvice
      : 'Check the address of the cloud and try again later.';
    return { findings: [failed('power_bi', detail, advice)], workspaces: [] };
  }
}

export const notChecked = (check: string): Finding =>
  warning(check, 'The catalogue has no data to check yet.', 'Run `node bin/vitrine.js sync`.');
