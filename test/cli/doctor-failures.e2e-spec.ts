import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { workspaceRights } from '../../src/cli/doctor/catalogue.js';
import { EmbedCheckService } from '../../src/embed/embed-check.service.js';
import { ReportNotFound } from '../../src/reports/reports.errors.js';
import { vitrineJson } from '../support/cli.js';
import { type Service, startService } from '../support/service.js';

interface Report {
  ok: boolean;
  findings: { check: string; status: string; detail: string; advice?: string }[];
}

let service: Service;

beforeAll(async () => {
  service = await startService();
  await service.sync();
});
afterEach(() => {
  jest.restoreAllMocks();
});
afterAll(() => service.close());

describe('a check of the doctor that cannot be completed', () => {
  test('is reported, as are all others', async () => {
    await service.database.query('ALTER TABLE group_closure RENAME TO group_closure_away');
    const { code, body } = await vitrineJson<Report>(service.environment, 'doctor');
    await service.database.query('ALTER TABLE group_closure_away RENAME TO group_closure');
    expect([code, body.ok]).toEqual([1, false]);
    expect(body.findings).toContainEqual({
      check: 'groups',
      status: 'failed',
      detail: expect.stringContaining('group_closure'),
      advice: expect.stringContaining('run the doctor again'),
    });
    expect([...new Set(body.findings.map(({ check }) => check))]).toEqual([
      'keys',
      'smtp',
      'database',
      'migrations',
      'database_settings',
      'credential',
      'entra',
      'power_bi',
      'groups',
      'empty_groups',
      'service_account_secrets',
      'rls',
      'reach',
      'workspace_rights',
    ]);
  });

  test('is reported for each report that Power BI does not respond to in time', async () => {
    const before = await workspaceRights(service.app);
    jest.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort());
    const findings = await workspaceRights(service.app);
    expect(findings.length).toBeGreaterThan(before.length);
    expect(findings).toContainEqual({
      check: 'workspace_rights',
      status: 'failed',
      detail: expect.stringMatching(/^".+": Power BI did not respond within 30 seconds\.$/),
      advice: 'Run the doctor again later.',
    });
  });

  test('is skipped for a report that a sync retires meanwhile', async () => {
    const [before] = await workspaceRights(service.app);
    expect(before?.detail).toContain('Partner');
    jest.spyOn(service.app.get(EmbedCheckService), 'check').mockRejectedValue(new ReportNotFound());
    expect(await workspaceRights(service.app)).toEqual([
      { check: 'workspace_rights', status: 'ok', detail: expect.stringContaining('were checked') },
    ]);
  });
});

describe('a report that cannot be embedded as a trial', () => {
  const failures = async () =>
    (await workspaceRights(service.app)).filter(({ status }) => status === 'failed');
  const adviceFor = async (step: string) =>
    (await failures()).find(({ detail }) => detail.includes(`, ${step}: `))?.advice;
  afterEach(async () => {
    await service.powerBi.delete('/__emulator/faults');
    service.clock.advance(60);
  });

  test('is a failure of the role only if Power BI refuses the token or the workspace', async () => {
    expect(await failures()).toEqual([
      expect.objectContaining({
        detail: expect.stringMatching(/Partner.*, embed_token: /),
        advice: expect.stringContaining('Member role'),
      }),
    ]);
    await service.powerBi.post('/__emulator/faults', { path: '/groups/[^/]+$', status: 401 });
    expect(await adviceFor('service_principal')).toContain('Member role');
  });

  test('is no failure while embedding is blocked', async () => {
    const admin = await service.asAdmin();
    const before = await failures();
    const { reports } = (await admin.get<{ reports: { id: string }[] }>('/api/reports?limit=100')).body;
    for (const { id } of reports) await admin.post('/api/embed-grants/revoke', { report_id: id });
    expect(await failures()).toEqual(before);
    await service.database.query('DELETE FROM embed_revocations');
  });

  test('gets the advice of its cause: a deleted report, a foreign address, a request limit', async () => {
    await service.powerBi.post('/__emulator/faults', { path: '/reports/[^/]+$', status: 404 });
    expect(await adviceFor('report')).toBe('Run `node bin/vitrine.js sync`.');
    await service.powerBi.delete('/__emulator/faults');
    await service.database.query(`UPDATE reports SET embed_url = 'https://foreign.example'`);
    expect(await adviceFor('embed_url')).toContain('POWERBI_CLOUD');
    await service.powerBi.post('/__emulator/faults', { path: '/groups/[^/]+$', retry_after: 30 });
    expect(await adviceFor('power_bi')).toBe('Run the doctor again later.');
  });
});
