import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { demoIdentityHeader } from '@vitrine/power-bi-emulator';
import { makeCertificate } from '../support/certificate.js';
import { EmulatorClient } from '../support/emulator-client.js';
import { type Service, startService } from '../support/service.js';
import { syncOnce } from '../support/syncing.js';

let cloud: EmulatorClient;
let service: Service | undefined;
let folder: string;

beforeEach(async () => {
  cloud = await EmulatorClient.start();
  folder = mkdtempSync(join(tmpdir(), 'vitrine-credential-'));
});
afterEach(async () => {
  delete process.env.IDENTITY_ENDPOINT;
  delete process.env.IDENTITY_HEADER;
  await service?.close();
  await cloud.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Configured as a deployment is, a catalogue is there and a report embeds. */
async function embeds(credential: Record<string, string>): Promise<void> {
  const upstream = { POWERBI_API_URL: cloud.url, POWERBI_AUTHORITY_URL: cloud.url };
  service = await startService({ ...upstream, POWERBI_CLIENT_SECRET: '', ...credential });
  const admin = await service.asAdmin();
  expect((await syncOnce(admin)).workspaces_seen).toBeGreaterThan(0);
  const { body } = await admin.get<{ reports: { id: string }[] }>('/api/reports?q=Revenue overview');
  const response = await admin.post(`/api/reports/${body.reports[0]!.id}/embed-token`);
  expect(response).toMatchObject({ status: 200, body: { token: expect.any(String) } });
}

test('POWERBI_CERTIFICATE_FILE signs in at the emulator', async () => {
  const { certificate, privateKey } = await makeCertificate();
  const POWERBI_CERTIFICATE_FILE = join(folder, 'certificate.pem');
  writeFileSync(POWERBI_CERTIFICATE_FILE, `${privateKey}\n${certificate}`, { mode: 0o600 });
  await cloud.control('POST', '/certificates', { certificate });
  await embeds({ POWERBI_CERTIFICATE_FILE });
});

test('POWERBI_AUTH=managed_identity signs in at the emulator', async () => {
  process.env.IDENTITY_ENDPOINT = `${cloud.url}/msi/token`;
  process.env.IDENTITY_HEADER = demoIdentityHeader;
  await embeds({ POWERBI_AUTH: 'managed_identity' });
});
