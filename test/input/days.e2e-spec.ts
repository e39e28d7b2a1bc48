import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Report } from '../../src/reports/report.entity.js';
import type { User } from '../../src/users/user.entity.js';
import type { Workspace } from '../../src/workspaces/workspace.entity.js';
import { vitrineJson } from '../support/cli.js';
import type { Client } from '../support/client.js';
import { type Service, startService } from '../support/service.js';

let service: Service;
let admin: Client;
let workspace: Workspace;
let report: Report;
let user: User;

beforeAll(async () => {
  service = await startService({
    USAGE_TIME_ZONE: 'America/New_York',
    WEBHOOK_ALLOWED_HOSTS: 'hooks.example.com',
  });
  admin = await service.asAdmin();
  workspace = await service.factory.workspace();
  report = await service.factory.report(workspace);
  user = await service.factory.user();
});
afterAll(() => service.close());

const NEW_YEARS_EVE = '2098-12-31';
/** 23:59:59.999 in New York. */
const END = '2099-01-01T04:59:59.999Z';

describe('C15 a day without a time ends at the end of that day in the configured time zone', () => {
  test.each([
    () => `/api/workspaces/${workspace.id}/members/${user.id}`,
    () => `/api/workspaces/${workspace.id}/grants/users/${user.id}`,
    () => `/api/reports/${report.id}/grants/users/${user.id}`,
  ])('expires_at of a grant (%#)', async (path) => {
    const set = (expires_at: string) => admin.put(path(), { role: 'viewer', expires_at });
    expect(await set(NEW_YEARS_EVE)).toMatchObject({ status: 200, body: { expires_at: END } });
    expect(await set('9999-12-31')).toMatchObject({ body: { expires_at: '9999-12-31T23:59:59.999Z' } });
  });

  test('expires_at of workspaces and reports of an invitation', async () => {
    const given = { role: 'viewer', expires_at: NEW_YEARS_EVE };
    const response = await admin.post('/api/users/invite', {
      email: 'eve@example.com',
      workspaces: [{ workspace_id: workspace.id, ...given }],
      reports: [{ report_id: report.id, ...given }],
    });
    expect(response).toMatchObject({
      status: 201,
      body: { workspaces: [{ expires_at: END }], reports: [{ expires_at: END }] },
    });
  });

  test('--expires of the command line', async () => {
    const { body } = await vitrineJson<{ expires_at: string }>(
      service.environment,
      'grants',
      'set',
      '--workspace',
      workspace.id,
      '--user',
      user.email,
      '--expires',
      NEW_YEARS_EVE,
    );
    expect(body.expires_at).toBe(END);
  });

  test('the grant is active on that day and not on the next', async () => {
    const viewer = await service.factory.user();
    await admin.put(`/api/workspaces/${workspace.id}/members/${viewer.id}`, {
      role: 'viewer',
      expires_at: NEW_YEARS_EVE,
    });
    const seen = async (at: string) => {
      service.clock.advance((Date.parse(at) - service.clock.now().getTime()) / 1000);
      try {
        return (await (await service.as(viewer)).get(`/api/workspaces/${workspace.id}`)).status;
      } finally {
        service.clock.advance((Date.now() - service.clock.now().getTime()) / 1000);
      }
    };
    expect(await seen('2099-01-01T04:30:00Z')).toBe(200);
    expect(await seen('2099-01-01T05:00:01Z')).toBe(404);
  });
});

describe('C16 `from` and `to` of a day include the whole day of that time zone', () => {
  test('in the audit trail', async () => {
    const { body: group } = await admin.post<{ id: string }>('/api/groups', { name: 'Dated' });
    const [planted] = await service.database.query<{ id: string }[]>(
      `INSERT INTO audit_events SELECT (jsonb_populate_record(e, jsonb_build_object('id', gen_random_uuid(),
         'at', '2026-10-02T03:30:00Z'))).* FROM audit_events e WHERE target_id = $1 LIMIT 1 RETURNING id`,
      [group.id],
    );
    const on = async (from: string, to: string) => {
      const path = `/api/audit-events?target_id=${group.id}&from=${from}&to=${to}`;
      return (await admin.get<{ audit_events: { id: string }[] }>(path)).body.audit_events.map(
        ({ id }) => id,
      );
    };
    expect(await on('2026-10-01', '2026-10-01')).toEqual([planted?.id]);
    expect(await on('2026-10-02', '2026-10-02')).toEqual([]);
  });

  test('in a redelivery of webhook events', async () => {
    const { body: webhook } = await admin.post<{ id: string }>('/api/webhooks', {
      url: 'https://hooks.example.com/vitrine',
      types: ['group.created'],
    });
    const period = { from: '2026-10-01', to: '2026-10-01' };
    expect(await admin.post(`/api/webhooks/${webhook.id}/redeliver`, period)).toMatchObject({
      body: { from: '2026-10-01T04:00:00.000Z', to: '2026-10-02T04:00:00.000Z' },
    });
  });
});
