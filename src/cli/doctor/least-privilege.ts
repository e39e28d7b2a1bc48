import type { INestApplicationContext } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { PowerBiConfig } from '../../core/config/power-bi.config.js';
import type { PbiWorkspace } from '../../power-bi/power-bi.types.js';
import { usedWorkspaces } from '../../workspaces/workspaces.queries.js';
import { type Finding, ok, warning } from './finding.js';

/** Maximum number of workspace names in the message; the rest is only counted. */
const NAMED = 5;

/** Client secrets are copied and shared; the private key of a certificate never leaves its host. */
export function credential({ credential: { kind }, authorityUrl }: PowerBiConfig): Finding {
  // Entra is https only: an http authority is an emulator, whose secret has no value.
  if (kind !== 'secret' || authorityUrl.startsWith('http:')) {
    return ok('credential', `The service signs in to Entra with a ${kind.replace('_', ' ')}.`);
  }
  const advice = 'Use POWERBI_CERTIFICATE_FILE, or POWERBI_AUTH=managed_identity on Azure.';
  return warning('credential', 'The service signs in to Entra with a client secret.', advice);
}

/** A stolen credential can read every workspace in which it has a role, so each of these roles should be in use. */
export async function leastPrivilege(
  app: INestApplicationContext,
  workspaces: readonly PbiWorkspace[],
): Promise<Finding> {
  const rows = await usedWorkspaces(app.get(DataSource).manager);
  const used = new Set(rows.map(({ id }) => id));
  const idle = workspaces.filter(({ pbiWorkspaceId }) => !used.has(pbiWorkspaceId));
  if (used.size === 0) return ok('reach', 'No workspace has a grant yet.');
  if (idle.length === 0) return ok('reach', 'Every workspace of the service principal has a grant.');
  const names = idle.slice(0, NAMED).map(({ name }) => `"${name}"`);
  const more = idle.length > NAMED ? ', …' : '';
  const detail = `${idle.length} of ${workspaces.length} workspace(s) have no grant: ${names.join(', ')}${more}.`;
  return warning(
    'reach',
    detail,
    'Remove the service principal from the workspaces that Vitrine does not serve.',
  );
}
