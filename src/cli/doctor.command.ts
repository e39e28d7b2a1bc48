import type { INestApplicationContext } from '@nestjs/common';
import { Command } from 'commander';
import { Config } from '../config/config.js';
import { rls, workspaceRights } from './doctor/catalogue.js';
import type { Finding } from './doctor/finding.js';
import { database, databaseSettings, keys, migrations, smtp } from './doctor/own-parts.js';
import { powerBi } from './doctor/power-bi.js';
import { credential, reach } from './doctor/reach.js';
import { exitCodes } from './exit-codes.js';
import { print } from './output.js';
import { withParts } from './service.js';

const isFailed = ({ status }: Finding): boolean => status === 'failed';

/** What stands on something that failed is not looked at. */
async function examine(app: INestApplicationContext): Promise<Finding[]> {
  const findings = [keys(app), await smtp(app), await database(app)];
  if (isFailed(findings[2] as Finding)) return findings;
  findings.push(await migrations(app));
  // The pauses that replicas share are in the database: without its tables Power BI is not asked.
  if (isFailed(findings[3] as Finding)) return findings;
  findings.push(...(await databaseSettings(app)));
  const { findings: upstream, workspaces } = await powerBi(app);
  findings.push(credential(app.get(Config).powerBi), ...upstream, ...(await rls(app)));
  if (upstream.some(isFailed)) return findings;
  return [...findings, await reach(app, workspaces), ...(await workspaceRights(app))];
}

const marks = { ok: 'ok      ', warning: 'warning ', failed: 'FAILED  ' };
const lineOf = ({ check, status, detail, advice }: Finding): string =>
  `${marks[status]}${check}: ${detail}${advice === undefined ? '' : `\n        → ${advice}`}`;

export const doctorCommand = new Command('doctor')
  .description('Looks at everything that the service needs, changes nothing, and says what to do')
  .action((_: object, command: Command) =>
    withParts(async (app) => {
      const findings = await examine(app);
      const isFine = !findings.some(isFailed);
      const { json } = command.optsWithGlobals<{ json: boolean }>();
      print(json, { ok: isFine, findings }, findings.map(lineOf).join('\n'));
      if (!isFine) process.exitCode = exitCodes.failed;
    }),
  );
