import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { User } from '../../src/users/user.entity.js';
import type { Client } from '../support/client.js';
import { until } from '../support/until.js';
import { type Exporting, startExporting } from './exporting.js';

let at: Exporting;
let admin: Client;
let ada: { user: User; client: Client };
let ben: { user: User; client: Client };

beforeAll(async () => {
  at = await startExporting();
  admin = await at.service.asAdmin();
  ada = await at.asRole('Sales', 'editor', { email: 'ada@vitrine.example' });
  ben = await at.asRole('Sales', 'editor', { email: 'ben@vitrine.example' });
});
afterAll(() => at.service.close());

const revoke = async (user: User): Promise<void> => {
  const { id } = await at.workspace('Sales');
  await admin.delete(`/api/workspaces/${id}/members/${user.id}`);
};

describe('an export under row-level security', () => {
  test('is refused without an identity policy, before Power BI is asked', async () => {
    const report = await at.report('My customers');
    const refused = await at.request(ada.client, report);
    expect(refused).toMatchObject({ status: 409, body: { code: 'power_bi_identity_required' } });
    expect(await at.exportCalls()).toEqual([]);
    const { body } = await admin.get('/api/audit-events?action=report_export_denied');
    expect(body).toMatchObject({
      audit_events: [{ actor: { id: ada.user.id }, outcome: 'denied', target: { id: report.id } }],
    });
  });

  test('is refused when row-level security was added after the last sync', async () => {
    const { service } = at;
    const stale = (value: boolean) =>
      service.database.query(`UPDATE datasets SET identity_required = $1 WHERE name = $2`, [
        value,
        'Sales by representative',
      ]);
    await stale(false);
    const { body } = await at.request(ada.client, await at.report('My customers'));
    const failed = await at.reached(ada.client, body.id, 'status', 'failed');
    expect(failed.error).toMatchObject({ code: 'power_bi_identity_required' });
    expect(await at.exportCalls()).toEqual([]);
    expect(await at.request(ada.client, await at.report('My customers'))).toMatchObject({ status: 409 });
  });

  test('is refused when the report got another dataset after the last sync', async () => {
    const { service } = at;
    const report = await at.report('Pipeline');
    const use = (name: string) =>
      service.database.query(
        `UPDATE reports SET pbi_dataset_id = d.pbi_dataset_id FROM datasets d WHERE reports.id = $1 AND d.name = $2`,
        [report.id, name],
      );
    await use('General ledger');
    const { body } = await at.request(ada.client, report);
    expect((await at.reached(ada.client, body.id, 'status', 'failed')).error).toMatchObject({
      code: 'power_bi_identity_required',
    });
    expect(await at.exportCalls()).toEqual([]);
    await use('Sales');
  });

  test('is refused when Power BI does not list the dataset in its workspace', async () => {
    const { service } = at;
    const move = async (workspace: string) =>
      service.database.query(`UPDATE datasets SET workspace_id = $1 WHERE name = 'Sales'`, [
        (await at.workspace(workspace)).id,
      ]);
    await move('Finance');
    const { body } = await at.request(ada.client, await at.report('Pipeline'));
    expect((await at.reached(ada.client, body.id, 'status', 'failed')).error).toMatchObject({
      code: 'power_bi_identity_required',
    });
    expect(await at.exportCalls()).toEqual([]);
    await move('Sales');
  });

  /** Exports while Power BI lists these only. */
  const refusedFor = async (list: 'reports' | 'datasets', value: object[]): Promise<string | undefined> => {
    const { pbiWorkspaceId } = await at.workspace('Sales');
    const path = `${pbiWorkspaceId}/${list}$`;
    await at.service.powerBi.post('/__emulator/faults', { path, status: 200, body: { value } });
    const { body } = await at.request(ada.client, await at.report('Pipeline'));
    const { error } = await at.reached(ada.client, body.id, 'status', 'failed');
    await at.service.powerBi.delete('/__emulator/faults');
    expect(await at.exportCalls()).toEqual([]);
    return error?.code;
  };

  test('is refused when Power BI does not report whether the dataset has row-level security, until it does', async () => {
    const report = await at.report('Pipeline');
    const withoutFlags = [{ id: report.pbiDatasetId, name: 'Sales' }];
    expect(await refusedFor('datasets', withoutFlags)).toBe('power_bi_identity_required');
    expect(await at.exported(ada.client, report)).toContain('Report: Pipeline');
    await at.service.powerBi.delete('/__emulator/calls');
  });

  test('is refused when Power BI does not list the report, whose dataset is then unknown', async () => {
    expect(await refusedFor('reports', [])).toBe('power_bi_report_missing');
  });

  test('is refused while it is unknown whether the dataset has row-level security', async () => {
    const { service } = at;
    await service.database.query(`UPDATE datasets SET identity_required = NULL WHERE name = 'Sales'`);
    expect(await at.request(ada.client, await at.report('Pipeline'))).toMatchObject({
      status: 409,
      body: { code: 'power_bi_identity_required' },
    });
    await service.database.query(`UPDATE datasets SET identity_required = false WHERE name = 'Sales'`);
  });

  test.each(['Pipeline', 'Order confirmation'])(
    'is refused for a dataset that is not in the catalogue: %s',
    async (name) => {
      const { service } = at;
      const report = await at.report(name);
      const change = (dataset: string | null) =>
        service.database.query('UPDATE reports SET pbi_dataset_id = $2 WHERE id = $1', [report.id, dataset]);
      await change(randomUUID());
      expect(await at.request(ada.client, report)).toMatchObject({
        status: 409,
        body: { code: 'power_bi_identity_required' },
      });
      await change(report.pbiDatasetId);
    },
  );

  test('is refused for a Power BI report without a dataset, and allowed for a paginated one', async () => {
    const { service } = at;
    const request = async (name: string, format: string): Promise<number> => {
      const report = await at.report(name);
      await service.database.query('UPDATE reports SET pbi_dataset_id = NULL WHERE id = $1', [report.id]);
      const { status } = await at.request(ada.client, report, { format });
      await service.database.query('UPDATE reports SET pbi_dataset_id = $2 WHERE id = $1', [
        report.id,
        report.pbiDatasetId,
      ]);
      return status;
    };
    expect(await request('Pipeline', 'PDF')).toBe(409);
    expect(await request('Order confirmation', 'XLSX')).toBe(202);
  });

  test('contains only the rows of the person who requests it', async () => {
    await at.policy(admin, 'Sales by representative', { username: '{{email}}' });
    const report = await at.report('My customers');
    const [hers, his] = [await at.exported(ada.client, report), await at.exported(ben.client, report)];
    expect(hers).toContain('Effective identity: ada@vitrine.example');
    expect(hers).toContain(',ada@vitrine.example,');
    expect(hers).not.toContain('ben@vitrine.example');
    expect(his).toContain('Effective identity: ben@vitrine.example');
    expect(his).not.toContain('ada@vitrine.example');
  });

  test('has the roles of the policy', async () => {
    await at.policy(admin, 'Sales by region', { username: '{{email}}', roles: ['Europe'] });
    const text = await at.exported(ada.client, await at.report('My region'));
    expect(text).toContain('Roles: Europe');
    expect(text).not.toContain('Americas');
  });

  test('uses the identity at the start: a policy that was removed meanwhile fails the export', async () => {
    await at.settings({ exports_per_capacity: 0, export_retry_seconds: 3 });
    const { body } = await at.request(ada.client, await at.report('My region'));
    await at.waiting(ada.client, body.id);
    await at.service.database.query(
      `UPDATE datasets SET identity_policy = NULL WHERE name = 'Sales by region'`,
    );
    await at.settings({ exports_per_capacity: 500 });
    const failed = await at.reached(ada.client, body.id, 'status', 'failed');
    expect(failed.error).toMatchObject({ code: 'power_bi_identity_required' });
  });
});

describe('a right that is revoked', () => {
  test('before the start cancels the export, which never reaches Power BI', async () => {
    await at.settings({ exports_per_capacity: 0, export_retry_seconds: 1 });
    const cas = await at.asRole('Sales', 'editor', { email: 'cas@vitrine.example' });
    const reader = await at.asRole('Finance', 'viewer');
    const { body } = await at.request(cas.client, await at.report('My customers'));
    await revoke(cas.user);
    await at.reached(cas.client, body.id, 'status', 'cancelled');
    await at.settings({ exports_per_capacity: 500 });
    expect((await reader.client.get(`/api/exports/${body.id}`)).status).toBe(404);
  });

  test('during the job cancels the export, and no file remains', async () => {
    await at.settings({ job_seconds: 600 });
    const dan = await at.asRole('Sales', 'editor', { email: 'dan@vitrine.example' });
    const { body } = await at.request(dan.client, await at.report('My customers'));
    await at.reached(dan.client, body.id, 'status', 'running');
    await revoke(dan.user);
    await at.service.powerBi.post('/__emulator/clock', { advance_seconds: 601 });
    const ended = await at.reached(dan.client, body.id, 'status', 'cancelled');
    expect(ended.error).toMatchObject({ code: 'report_not_found' });
    const file = await at.file(dan.client, `/api/exports/${body.id}/file`);
    expect(file.status).toBe(404);
    expect(
      await at.service.database.query('SELECT FROM report_export_chunks WHERE export_id = $1', [body.id]),
    ).toEqual([]);
    const { body: audit } = await admin.get<{ audit_events: object[] }>(
      '/api/audit-events?action=report_export_cancelled',
    );
    expect(audit.audit_events[0]).toMatchObject({
      actor: { id: dan.user.id },
      details: { code: 'report_not_found' },
    });
    await at.settings({ job_seconds: 0 });
  });

  test('after the job refuses the download, by token and by ticket', async () => {
    const eve = await at.asRole('Sales', 'editor', { email: 'eve@vitrine.example' });
    const { body } = await at.request(eve.client, await at.report('My customers'));
    await at.reached(eve.client, body.id, 'status', 'succeeded');
    const ticket = await eve.client.post<{ url: string }>(`/api/exports/${body.id}/tickets`);
    await revoke(eve.user);
    expect((await at.file(eve.client, `/api/exports/${body.id}/file`)).status).toBe(404);
    expect((await at.file(at.service.api, ticket.body.url)).status).toBe(404);
  });
});

describe('a policy or attribute that changes', () => {
  const started = async (email: string, attributes = {}) => {
    const person = await at.asRole('Sales', 'editor', { email, attributes });
    const { body } = await at.request(person.client, await at.report('My customers'));
    return { ...person, id: body.id };
  };
  const chunks = (id: string) =>
    at.service.database.query('SELECT FROM report_export_chunks WHERE export_id = $1', [id]);

  test('during the job cancels the export', async () => {
    await at.policy(admin, 'Sales by representative', { username: '{{email}}' });
    await at.settings({ job_seconds: 600 });
    const { client, id } = await started('fay@vitrine.example');
    await until(async () => {
      const [row] = await at.service.database.query<{ pbi_export_id: string | null }[]>(
        'SELECT pbi_export_id FROM report_exports WHERE id = $1',
        [id],
      );
      return row?.pbi_export_id ?? undefined;
    });
    await at.policy(admin, 'Sales by representative', { username: 'other-{{email}}' });
    await at.service.powerBi.post('/__emulator/clock', { advance_seconds: 601 });
    const ended = await at.reached(client, id, 'status', 'cancelled');
    expect(ended.error).toMatchObject({ code: 'export_expired', detail: expect.stringContaining('changed') });
    expect(await chunks(id)).toEqual([]);
    await at.settings({ job_seconds: 0 });
  });

  test('after the job expires the file, by token and by ticket', async () => {
    await at.policy(admin, 'Sales by representative', { username: '{{attributes.region}}' });
    const { user, client, id } = await started('gus@vitrine.example', { region: 'north' });
    await at.reached(client, id, 'status', 'succeeded');
    const ticket = await client.post<{ url: string }>(`/api/exports/${id}/tickets`);
    expect((await at.file(client, `/api/exports/${id}/file`)).status).toBe(200);
    await admin.patch(`/api/users/${user.id}`, { attributes: { region: 'south' } });
    expect((await at.file(at.service.api, ticket.body.url)).status).toBe(410);
    const refused = await at.file(client, `/api/exports/${id}/file`);
    expect([refused.status, refused.text.includes('export_expired')]).toEqual([410, true]);
    expect((await client.get(`/api/exports/${id}`)).body).toMatchObject({ status: 'expired' });
    expect(await chunks(id)).toEqual([]);
  });
});
