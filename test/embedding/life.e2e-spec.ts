import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Report } from '../../src/reports/report.entity.js';
import type { User } from '../../src/users/user.entity.js';
import type { Workspace } from '../../src/workspaces/workspace.entity.js';
import type { Client } from '../support/client.js';
import { type Embedding, startEmbedding } from './embedding.js';

let embedding: Embedding;
let sales: Workspace;
let revenue: Report;
let user: User;
let ada: Client;

beforeEach(async () => {
  embedding = await startEmbedding();
  sales = await embedding.workspace('Sales');
  revenue = await embedding.report('Revenue overview');
  user = await embedding.service.factory.user();
  await embedding.service.factory.grant(user, sales);
  ada = await embedding.service.as(user);
  await embedding.forgetCalls();
});
afterEach(() => embedding.service.close());

const token = async () => (await embedding.embed(ada, revenue)).body;

describe('an embed token', () => {
  test('is reused while the minimum lifetime remains, with the remaining lifetime', async () => {
    const first = await token();
    await embedding.advance(25 * 60);
    const again = await token();
    expect(again.token).toBe(first.token);
    expect(first.expires_in - again.expires_in).toBeGreaterThanOrEqual(25 * 60);
    expect(again.refresh_in).toBe(again.expires_in - 300);
    await embedding.advance(6 * 60);
    const next = await token();
    expect(next.token).not.toBe(first.token);
    expect(next.expires_in).toBeGreaterThanOrEqual(30 * 60);
    expect(await embedding.tokenRequests()).toHaveLength(2);
  });

  test('is not reused below the minimum when the Entra token made it short', async () => {
    await embedding.advance(25 * 60);
    const first = await token();
    expect(first.expires_in).toBeLessThanOrEqual(35 * 60);
    await embedding.advance(4 * 60);
    expect((await token()).token).toBe(first.token);
    await embedding.advance(13 * 60);
    expect((await token()).expires_in).toBeGreaterThanOrEqual(30 * 60);
  });

  test('does not become longer when the clock of the server is set back', async () => {
    embedding.service.clock.advance(20 * 60);
    ada = await embedding.service.as(user);
    const first = await token();
    embedding.service.clock.advance(-20 * 60);
    ada = await embedding.service.as(user);
    const again = await token();
    expect(again.token).toBe(first.token);
    expect(again.expires_in).toBeLessThanOrEqual(first.expires_in);
    expect(again.refresh_in).toBeLessThanOrEqual(first.refresh_in);
  });

  test('never expires at a client that follows refresh_in, over a day', async () => {
    let held = await token();
    for (let passed = 0; passed < 86_400; passed += held.refresh_in) {
      expect(held.expires_in - held.refresh_in).toBeGreaterThanOrEqual(60);
      await embedding.advance(held.refresh_in);
      ada = await embedding.service.as(user);
      held = await token();
      expect(held.expires_in).toBeGreaterThan(30 * 60 - 60);
    }
  });

  test.each([6, 9, 20])('of %i s is renewed in time', async (seconds) => {
    await embedding.settings({ entra_token_seconds: seconds });
    await embedding.advance(3600);
    ada = await embedding.service.as(user);
    for (let n = 0; n < 6; n += 1) {
      const held = await token();
      expect(held.refresh_in).toBeGreaterThanOrEqual(1);
      expect(held.refresh_in).toBeLessThan(held.expires_in);
      await embedding.advance(held.refresh_in);
    }
  });

  test('AZ-06 never outlives the grant behind it', async () => {
    const soon = new Date(embedding.service.clock.now().getTime() + 10.5 * 60_000);
    await embedding.service.factory.grant(user, sales, 'viewer', soon);
    const held = await token();
    expect(held.expires_in).toBeLessThanOrEqual(600);
    expect(held.expires_in).toBeGreaterThan(540);
    expect((await embedding.tokenRequests()).at(-1)!.body).toMatchObject({ lifetimeInMinutes: 10 });
  });

  test('is not reused after the grant is shortened below its lifetime', async () => {
    const long = await token();
    const soon = new Date(embedding.service.clock.now().getTime() + 20 * 60_000);
    await embedding.service.factory.grant(user, sales, 'viewer', soon);
    const short = await token();
    expect(short.token).not.toBe(long.token);
    expect(short.expires_in).toBeLessThanOrEqual(20 * 60);
  });

  test('is refused in the last minute of the grant', async () => {
    const now = new Date(embedding.service.clock.now().getTime() + 40_000);
    await embedding.service.factory.grant(user, sales, 'viewer', now);
    expect(await embedding.embed(ada, revenue)).toMatchObject({
      status: 403,
      body: { code: 'access_denied' },
    });
    expect(await embedding.tokenRequests()).toEqual([]);
  });

  test('of a temporary editor lasts as long as the editor grant', async () => {
    const soon = new Date(embedding.service.clock.now().getTime() + 10 * 60_000);
    const grants = `INSERT INTO grants (user_id, workspace_id, source, role, expires_at, created_at)
      VALUES ($1, $2, 'provider', 'editor', $3, now())`;
    await embedding.service.database.query(grants, [user.id, sales.id, soon]);
    expect((await embedding.embed(ada, revenue, { access: 'edit' })).body.expires_in).toBeLessThanOrEqual(
      600,
    );
    expect((await token()).expires_in).toBeGreaterThan(30 * 60);
  });
});

test('an embed token lives as long as EMBED_TOKEN_MAXIMUM_MINUTES, and is reused while the minimum remains', async () => {
  const brief = await startEmbedding({
    EMBED_TOKEN_MAXIMUM_MINUTES: '15',
    EMBED_TOKEN_MINIMUM_MINUTES: '5',
  });
  try {
    const { factory } = brief.service;
    const ben = await factory.user();
    await factory.grant(ben, await brief.workspace('Sales'));
    const report = await brief.report('Revenue overview');
    const next = async () => (await brief.embed(await brief.service.as(ben), report)).body;
    const first = await next();
    expect(first.expires_in).toBeLessThanOrEqual(15 * 60);
    expect(first.expires_in).toBeGreaterThan(14 * 60);
    await brief.advance(8 * 60);
    expect((await next()).token).toBe(first.token);
    await brief.advance(3 * 60);
    const second = await next();
    expect(second.token).not.toBe(first.token);
    expect(second.expires_in).toBeGreaterThanOrEqual(5 * 60);
  } finally {
    await brief.service.close();
  }
});

describe('authorization of an embed token', () => {
  /** While Power BI is still asked, something happens. */
  const meanwhile = (happens: () => Promise<unknown>, report = revenue) =>
    embedding.meanwhile(() => embedding.embed(ada, report), happens);

  test('AZ-05 rights are checked before a token is reused', async () => {
    await token();
    const admin = await embedding.service.asAdmin();
    await admin.delete(`/api/workspaces/${revenue.workspaceId}/members/${user.id}`);
    expect((await embedding.embed(ada, revenue)).status).toBe(404);
  });

  test('RACE-11 AZ-13 a right removed during the call prevents the token', async () => {
    const response = await meanwhile(() =>
      embedding.service.database.query('DELETE FROM grants WHERE user_id = $1', [user.id]),
    );
    expect(response.status).toBe(404);
    expect(await embedding.service.database.query('SELECT * FROM issued_tokens')).toEqual([]);
  });

  test('AZ-13 a user disabled during the call gets no token', async () => {
    const response = await meanwhile(() =>
      embedding.service.database.query(`UPDATE users SET status = 'disabled' WHERE id = $1`, [user.id]),
    );
    expect(response).toMatchObject({ status: 403, body: { code: 'access_denied' } });
    expect(await embedding.service.database.query('SELECT * FROM issued_tokens')).toEqual([]);
  });

  test('AZ-13 an admin demoted during the call gets no token', async () => {
    const admin = await embedding.service.factory.admin();
    ada = await embedding.service.as(admin);
    const response = await meanwhile(() =>
      embedding.service.database.query(`UPDATE users SET role = 'member' WHERE id = $1`, [admin.id]),
    );
    expect(response.status).toBe(404);
  });

  test('AZ-06 a token does not outlive a grant that is shortened during the call', async () => {
    const soon = new Date(embedding.service.clock.now().getTime() + 10.5 * 60_000);
    const response = await meanwhile(() => embedding.service.factory.grant(user, sales, 'viewer', soon));
    expect(response.status).toBe(200);
    expect(response.body.expires_in).toBeLessThanOrEqual(600);
    // One for the right as it was, and one for what is left of it.
    expect(await embedding.tokenRequests()).toHaveLength(2);
    const grants = await embedding.service.database.query('SELECT * FROM issued_tokens');
    expect(grants).toHaveLength(1);
  });

  describe('for an effective identity that changes during the call', () => {
    let admin: Client;
    let region: Report;
    const moveTo = (region: string) => admin.patch(`/api/users/${user.id}`, { attributes: { region } });
    const setRole = (role: string) =>
      embedding.policy(admin, 'Sales by region', { username: '{{email}}', roles: [role] });
    const issued = () =>
      embedding.service.database.query<object[]>(
        `SELECT token_id, identity->'roles' AS roles FROM issued_tokens`,
      );
    beforeEach(async () => {
      admin = await embedding.service.asAdmin();
      region = await embedding.report('My region');
      await moveTo('Europe');
      await setRole('{{attributes.region}}');
    });

    test.each([
      ['a policy', 'Manager', () => setRole('Manager')],
      ['an attribute', 'Americas', () => moveTo('Americas')],
    ])('AZ-06 is for the new one: %s', async (_what, role, change) => {
      const response = await meanwhile(change, region);
      expect(response.status).toBe(200);
      expect(await embedding.tokenRequests()).toHaveLength(2);
      expect(await issued()).toEqual([{ token_id: response.body.token_id, roles: [role] }]);
      expect((await embedding.embed(ada, region)).body.token_id).toBe(response.body.token_id);
    });

    test('AZ-06 is not kept for the former one', async () => {
      const { body } = await meanwhile(() => moveTo('Americas'), region);
      await moveTo('Europe');
      const again = await embedding.embed(ada, region);
      expect(again.body.token_id).not.toBe(body.token_id);
      expect(await embedding.tokenRequests()).toHaveLength(3);
    });

    test('AZ-06 is refused when it changes during the second call too', async () => {
      const response = await embedding.meanwhile(
        () => embedding.embed(ada, region),
        () => setRole('Americas'),
        () => setRole('Manager'),
      );
      expect(response).toMatchObject({ status: 503, body: { code: 'service_unavailable' } });
      expect(await issued()).toEqual([]);
    });
  });

  test('AZ-15 another access, report, policy or attribute requires another token', async () => {
    const admin = await embedding.service.asAdmin();
    await embedding.service.factory.grant(user, sales, 'editor');
    const region = await embedding.report('My region');
    const policy = (roles: string[]) =>
      embedding.policy(admin, 'Sales by region', { username: '{{email}}', roles });
    const tokens = [await token(), (await embedding.embed(ada, revenue, { access: 'edit' })).body];
    await policy(['Europe']);
    tokens.push((await embedding.embed(ada, region)).body, (await embedding.embed(ada, region)).body);
    await policy(['Europe']);
    tokens.push((await embedding.embed(ada, region)).body);
    await policy(['{{attributes.region}}']);
    await admin.patch(`/api/users/${user.id}`, { attributes: { region: 'Europe' } });
    tokens.push((await embedding.embed(ada, region)).body);
    await admin.patch(`/api/users/${user.id}`, { attributes: { region: 'Americas' } });
    tokens.push((await embedding.embed(ada, region)).body);
    expect(tokens.every((each) => each.token_id !== undefined)).toBe(true);
    expect(new Set(tokens.map((each) => each.token_id)).size).toBe(6);
    expect(await embedding.tokenRequests()).toHaveLength(6);
  });
});
