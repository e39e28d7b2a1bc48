import type { INestApplicationContext } from '@nestjs/common';
import type { Command } from 'commander';
import { Config } from '../../core/config/config.js';
import { emptyGroups, groups, rules } from './access.js';
import { rls, workspaceRights } from './catalogue.js';
import type { Finding } from './finding.js';
import { database, databaseSettings, keys, migrations, smtp } from './local-checks.js';
import { powerBi } from './power-bi.js';
import { credential, leastPrivilege } from './least-privilege.js';
import { exitCodes } from '../exit-codes.js';
import { print } from '../output.js';
import { withModules } from '../service.js';

const isFailed = ({ status }: Finding): boolean => status === 'failed';

/** Checks connection, schema and settings; each check requires the previous one to pass. */
async function examineDatabase(app: INestApplicationContext): Promise<Finding[]> {
  const connected = await database(app);
  if (isFailed(connected)) return [connected];
  const migrated = await migrations(app);
  if (isFailed(migrated)) return [connected, migrated];
  return [connected, migrated, ...(await databaseSettings(app))];
}

/** Checks without database access always run; those that read the catalogue are skipped when the database is unusable. */
async function examine(app: INestApplicationContext): Promise<Finding[]> {
  const config = app.get(Config).powerBi;
  const stored = await examineDatabase(app);
  const isUsable = !stored.some(isFailed);
  const { findings: upstream, workspaces } = await powerBi(app);
  const findings = [keys(app), await smtp(app), ...stored, credential(config), ...upstream];
  if (isUsable)
    findings.push(await groups(app), await emptyGroups(app), ...(await rules(app)), ...(await rls(app)));
  if (!isUsable || upstream.some(isFailed)) return findings;
  return [...findings, await leastPrivilege(app, workspaces), ...(await workspaceRights(app))];
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
