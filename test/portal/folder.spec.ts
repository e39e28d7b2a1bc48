import { execFile } from 'node:child_process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { PortalFolder } from '../../src/portal/portal-files.service.js';
import { built } from '../support/program.js';

const folder = fileURLToPath(new URL('../../dist/portal', import.meta.url));

test('the sources and the build output resolve the portal in the same folder', async () => {
  const { href } = pathToFileURL(built('src/portal/portal-files.service.js'));
  const program = `import { PortalFolder } from '${href}'; console.log(new PortalFolder().path)`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program]);
  expect(stdout.trim()).toBe(folder);
  expect(new PortalFolder().path).toBe(folder);
});
