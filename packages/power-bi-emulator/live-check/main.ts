import { parseArgs } from 'node:util';
import { liveCheck, report } from './live-check.js';
import { credentialsFrom } from './tenant.js';

const help = `Compares the undocumented behavior that the emulator assumes with a real tenant and prints the differences.
Changes nothing in the tenant. Requests embed tokens of one minute and discards them.

  POWERBI_TENANT_ID, POWERBI_CLIENT_ID, POWERBI_CLIENT_SECRET    the service principal
  POWERBI_API_URL, POWERBI_AUTHORITY_URL, POWERBI_SCOPE          for another cloud
  LIVE_CHECK_FOREIGN_WORKSPACE_ID                                a workspace without a role for the principal

  --json    print every finding as JSON`;

const { values } = parseArgs({
  options: { json: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
});

if (values.help) console.log(help);
else {
  try {
    const findings = await liveCheck(credentialsFrom(process.env));
    console.log(values.json ? JSON.stringify(findings, null, 2) : report(findings));
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  }
}
