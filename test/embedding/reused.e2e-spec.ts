import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { CacheInvalidationService } from '../../src/core/database/cache-invalidation.service.js';
import { TokenUsageService } from '../../src/embed/token-usage.service.js';
import type { Report } from '../../src/reports/report.entity.js';
import type { User } from '../../src/users/user.entity.js';
import type { Workspace } from '../../src/workspaces/workspace.entity.js';
import type { Client } from '../support/client.js';
import { lockRows } from '../support/row-lock.js';
import { until } from '../support/until.js';
import { type Embedding, startEmbedding } from './embedding.js';

let embedding: Embedding;
let sales: Workspace;
let revenue: Report;
let ada: User;
let member: Client;

beforeAll(async () => {
  embedding = await startEmbedding({ RATE_LIMIT_API_PER_MINUTE: '10000' });
  sales = await embedding.workspace('Sales');
  revenue = await embedding.report('Revenue overview');
  await until(() => embedding.service.app.get(CacheInvalidationService).isCurrent);
});
afterAll(() => embedding.service.close());
beforeEach(async () => {
  ada = await embedding.service.factory.user();
  await embedding.service.factory.grant(ada, sales);
  member = await embedding.service.as(ada);
});

describe('an embed token that the same user already has', () => {
  test.each([
    ['no body', undefined],
    ['the access view', { access: 'view' }],
  ])('is issued again, with the same headers: %s', async (_name, body) => {
    const first = await embedding.embed(member, revenue, body);
    const again = await embedding.embed(member, revenue, body);
    expect(again.status).toBe(200);
    const { token_id: id, token } = first.body;
    expect(again.body).toMatchObject({ token_id: id, token, access: 'view' });
    expect(Object.keys(again.body)).toEqual(Object.keys(first.body));
    for (const name of ['cache-control', 'content-type', 'x-frame-options', 'ratelimit-policy']) {
      expect(again.headers.get(name)).toBe(first.headers.get(name));
    }
    expect(again.headers.get('cache-control')).toBe('no-store');
  });

  test('has the remaining lifetime', () =>
    embedding.service.clock.frozen(async () => {
      const first = await embedding.embed(member, revenue);
      await embedding.advance(60);
      const again = await embedding.embed(member, revenue);
      expect(again.body.token_id).toBe(first.body.token_id);
      expect(again.body.expires_in).toBe(first.body.expires_in - 60);
    }));

  test('consumes the rate limits of address and user, not that of new embed tokens, and is counted', async () => {
    const left = async () => {
      const { headers } = await embedding.embed(member, revenue);
      return [...(headers.get('ratelimit') ?? '').matchAll(/r=(\d+)/g)].map(([, count]) => Number(count));
    };
    const [address = 0, person = 0, tokens = 0] = await left();
    expect(await left()).toEqual([address - 1, person - 1, tokens - 1]);
    expect(await left()).toEqual([address - 2, person - 2, tokens - 1]);
    await embedding.service.app.get(TokenUsageService).flush();
    const admin = await embedding.service.asAdmin();
    const { body } = await admin.get(`/api/embed-grants?user_id=${ada.id}`);
    expect(body).toMatchObject({ embed_grants: [{ times_issued: 3 }] });
  });

  test('is counted also while an earlier count is being written', async () => {
    const { service } = embedding;
    const usage = service.app.get(TokenUsageService);
    await embedding.embed(member, revenue);
    const issued = `SELECT times_issued FROM issued_tokens WHERE user_id = $1`;
    const { waiting, release } = await lockRows(service.databaseUrl, `${issued} FOR UPDATE`, [ada.id]);
    await embedding.embed(member, revenue);
    const writes = [usage.flush()];
    try {
      await until(async () => (await waiting()) > 0);
      await embedding.embed(member, revenue);
      writes.push(usage.flush(), usage.flush());
    } finally {
      await release();
    }
    await writes.at(-1);
    expect(await service.database.query(issued, [ada.id])).toEqual([{ times_issued: 3 }]);
  });

  test('is not returned for invalid requests or to other users', async () => {
    await embedding.embed(member, revenue);
    const stranger = await embedding.service.as(await embedding.service.factory.user());
    const path = `/api/reports/${revenue.id}/embed-token`;
    const statuses = await Promise.all(
      [
        member.post(path, { access: 'own' }),
        member.post(path, { access: 'view', report_id: revenue.id }),
        member.post(path, []),
        member.post(path, 'no JSON'),
        member.post(path, { access: 'edit' }),
        member.get(path),
        embedding.service.api.post(path),
        stranger.post(path),
      ].map(async (response) => (await response).status),
    );
    expect(statuses).toEqual([400, 400, 400, 400, 403, 405, 401, 404]);
  });
});

describe('AZ-05 every request reads rights and revocations from the database', () => {
  const sql = (text: string) => embedding.service.database.query(text, [ada.id]);

  test('no token is returned when they cannot be read', async () => {
    const { database } = embedding.service;
    expect((await embedding.embed(member, revenue)).status).toBe(200);
    for (const table of ['embed_revocations', 'grants', 'users', 'reports']) {
      await database.query(`ALTER TABLE ${table} RENAME TO hidden_table`);
      const { status } = await embedding.embed(member, revenue);
      await database.query(`ALTER TABLE hidden_table RENAME TO ${table}`);
      expect([table, status]).toEqual([table, 500]);
    }
    expect((await embedding.embed(member, revenue)).status).toBe(200);
  });

  test.each([
    [
      'a revocation',
      `INSERT INTO embed_revocations (id, user_id, revoked_by, revoked_at) VALUES (gen_random_uuid(), $1, $1, now())`,
      403,
    ],
    ['removal', 'DELETE FROM grants WHERE user_id = $1', 404],
    ['an expired grant', 'UPDATE grants SET expires_at = created_at WHERE user_id = $1', 404],
    ['disabling', `UPDATE users SET status = 'disabled' WHERE id = $1`, 403],
  ])('%s by direct SQL takes effect on the next request', async (_name, change, status) => {
    expect((await embedding.embed(member, revenue)).status).toBe(200);
    await sql(change);
    expect((await embedding.embed(member, revenue)).status).toBe(status);
    expect((await embedding.embed(member, await embedding.report('Pipeline'))).status).toBe(status);
  });

  test('the demotion of an admin by direct SQL takes effect on the next request', async () => {
    await sql(`DELETE FROM grants WHERE user_id = $1`);
    await sql(`UPDATE users SET role = 'admin' WHERE id = $1`);
    const admin = await embedding.service.as(ada);
    expect((await embedding.embed(admin, revenue, { access: 'edit' })).status).toBe(200);
    await sql(`UPDATE users SET role = 'member' WHERE id = $1`);
    expect((await embedding.embed(admin, revenue, { access: 'edit' })).status).toBe(404);
  });
});
