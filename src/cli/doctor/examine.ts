import type { INestApplicationContext } from '@nestjs/common';
import type { Command } from 'commander';
import { Config } from '../../core/config/config.js';
import { emptyGroups, groups, quoted, rules, serviceAccountSecrets } from './access.js';
import { rls, workspaceRights } from './catalogue.js';
import { failed, type Finding, messageOf, ok, warning } from './finding.js';
import {
  database,
  databaseSettings,
  directConnection,
  identityProvider,
  keys,
  migrations,
  redis,
  smtp,
} from './local-checks.js';
import { powerBi } from './power-bi.js';
import { exitCodes } from '../exit-codes.js';
import { print } from '../output.js';
import { withModules } from '../service.js';
import { DataSource } from 'typeorm';
import type { PowerBiConfig } from '../../core/config/power-bi.config.js';
import type { ListedWorkspace } from '../../catalogue/workspace-listing.service.js';
import { usedWorkspaces } from '../../workspaces/workspaces.queries.js';

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
  workspaces: readonly ListedWorkspace[],
): Promise<Finding> {
  const used = new Set(await usedWorkspaces(app.get(DataSource).manager));
  const idle = workspaces.filter(({ pbiWorkspaceId }) => !used.has(pbiWorkspaceId));
  if (used.size === 0) return ok('reach', 'No workspace has a grant yet.');
  if (idle.length === 0) return ok('reach', 'Every workspace of the service principal has a grant.');
  const names = quoted(idle.map(({ name }) => name));
  const detail = `${idle.length} of ${workspaces.length} workspace(s) have no grant: ${names}.`;
  return warning(
    'reach',
    detail,
    'Remove the service principal from the workspaces that Vitrine does not serve.',
  );
}

const isFailed = ({ status }: Finding): boolean => status === 'failed';

/** An exception in a check, such as a lost connection, is a finding of its own: the others are still reported. */
async function attempt(
  check: string,
  work: () => Finding | Finding[] | Promise<Finding | Finding[]>,
): Promise<Finding[]> {
  try {
    return [await work()].flat();
  } catch (error) {
    return [failed(check, messageOf(error), 'The check could not be completed: run the doctor again.')];
  }
}

/** Checks connection, schema and settings; each check requires the previous one to pass. */
async function examineDatabase(app: INestApplicationContext): Promise<Finding[]> {
  const connected = await database(app);
  if (isFailed(connected)) return [connected];
  const reached = [connected, ...(await attempt('database_direct', () => directConnection(app)))];
  const migrated = await attempt('migrations', () => migrations(app));
  if (migrated.some(isFailed)) return [...reached, ...migrated];
  return [...reached, ...migrated, ...(await attempt('database_settings', () => databaseSettings(app)))];
}

const examineAccess = async (app: INestApplicationContext): Promise<Finding[]> => [
  ...(await attempt('groups', () => groups(app))),
  ...(await attempt('empty_groups', () => emptyGroups(app))),
  ...(await attempt('rules', () => rules(app))),
  ...(await attempt('service_account_secrets', () => serviceAccountSecrets(app))),
  ...(await attempt('rls', () => rls(app))),
];

/** Checks without database access always run; those that read the catalogue are skipped when the database is unusable. */
async function examine(app: INestApplicationContext): Promise<Finding[]> {
  const config = app.get(Config).powerBi;
  const stored = await examineDatabase(app);
  const isUsable = !stored.some(isFailed);
  const { findings: upstream, workspaces } = await powerBi(app);
  const local = [...(await attempt('keys', () => keys(app))), await smtp(app), ...(await redis(app))];
  const provider = await identityProvider(app);
  const findings = [...local, ...stored, ...provider, credential(config), ...upstream];
  if (isUsable) findings.push(...(await examineAccess(app)));
  if (!isUsable || workspaces.length === 0) return findings;
  return [
    ...findings,
    ...(await attempt('reach', () => leastPrivilege(app, workspaces))),
    ...(await attempt('workspace_rights', () => workspaceRights(app))),
  ];
}

const marks = { ok: 'ok      ', warning: 'warning ', failed: 'FAILED  ' };
const lineOf = ({ check, status, detail, advice }: Finding): string =>
  `${marks[status]}${check}: ${detail}${advice === undefined ? '' : `\n        → ${advice}`}`;

export const doctor = (command: Command): Promise<void> =>
  withModules(async (app) => {
    const findings = await examine(app);
    const isFine = !findings.some(isFailed);
    const { json } = command.optsWithGlobals<{ json: boolean }>();
    print(json, { ok: isFine, findings }, findings.map(lineOf).join('\n'));
    if (!isFine) process.exitCode = exitCodes.failed;
  });
