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
