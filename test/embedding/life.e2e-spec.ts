import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Report } from '../../src/reports/report.entity.js';
import type { User } from '../../src/users/user.entity.js';
import type { Workspace } from '../../src/workspaces/workspace.entity.js';
import type { Client } from '../support/client.js';
import { type Embedding, startEmbedding } from './embedding.js';

let world: Embedding;
let sales: Workspace;
let revenue: Report;
let user: User;
let ada: Client;

beforeEach(async () => {
  world = await startEmbedding();
  sales = await world.workspace('Sales');
  revenue = await world.report('Revenue overview');
  user = await world.service.factory.user();
  await world.service.factory.grant(user, sales);
  ada = await world.service.as(user);
  await world.forgetCalls();
});
afterEach(() => world.service.close());

const token = async () => (await world.embed(ada, revenue)).body;

describe('an embed token', () => {
  test('is handed out again while the promised minimum is left, with the time that is left', async () => {
    const first = await token();
    await world.advance(25 * 60);
    const again = await token();
    expect(again.token).toBe(first.token);
    expect(first.expires_in - again.expires_in).toBeGreaterThanOrEqual(25 * 60);
    expect(again.refresh_in).toBe(again.expires_in - 300);
    await world.advance(6 * 60);
    const next = await token();
    expect(next.token).not.toBe(first.token);
    expect(next.expires_in).toBeGreaterThanOrEqual(30 * 60);
    expect(await world.asked()).toHaveLength(2);
  });

  test('a client that obeys refresh_in never sees an expired one, for a day', async () => {
    let held = await token();
    for (let passed = 0; passed < 86_400; passed += held.refresh_in) {
      expect(held.expires_in - held.refresh_in).toBeGreaterThanOrEqual(60);
      await world.advance(held.refresh_in);
      ada = await world.service.as(user);
      held = await token();
      expect(held.expires_in).toBeGreaterThan(30 * 60 - 60);
    }
  }, 60_000);

  test.each([4, 9, 20])('of %i s is renewed in time too', async (seconds) => {
    await world.settings({ entra_token_seconds: seconds });
    await world.advance(3600);
    ada = await world.service.as(user);
    for (let n = 0; n < 6; n += 1) {
      const held = await token();
      expect(held.refresh_in).toBeGreaterThanOrEqual(1);
      expect(held.refresh_in).toBeLessThan(held.expires_in);
      await world.advance(held.refresh_in);
    }
  });

  test('AZ-06 never outlives the grant behind it', async () => {
    const soon = new Date(world.service.clock.now().getTime() + 10.5 * 60_000);
    await world.service.factory.grant(user, sales, 'viewer', soon);
    const held = await token();
    expect(held.expires_in).toBeLessThanOrEqual(600);
    expect(held.expires_in).toBeGreaterThan(540);
    expect((await world.asked()).at(-1)!.body).toMatchObject({ lifetimeInMinutes: 10 });
  });

  test('is not handed out again once the grant was cut below its life', async () => {
    const long = await token();
    const soon = new Date(world.service.clock.now().getTime() + 20 * 60_000);
    await world.service.factory.grant(user, sales, 'viewer', soon);
    const short = await token();
    expect(short.token).not.toBe(long.token);
    expect(short.expires_in).toBeLessThanOrEqual(20 * 60);
  });

  test('is refused in the last minute of the grant', async () => {
    const now = new Date(world.service.clock.now().getTime() + 40_000);
    await world.service.factory.grant(user, sales, 'viewer', now);
    expect(await world.embed(ada, revenue)).toMatchObject({ status: 403, body: { code: 'access_denied' } });
    expect(await world.asked()).toEqual([]);
  });

  test('of an editor’s short time lasts as long as that, not as the viewer’s', async () => {
    const soon = new Date(world.service.clock.now().getTime() + 10 * 60_000);
    const grants = `INSERT INTO memberships (user_id, workspace_id, source, role, expires_at, created_at)
      VALUES ($1, $2, 'provider', 'editor', $3, now())`;
    await world.service.database.query(grants, [user.id, sales.id, soon]);
    expect((await world.embed(ada, revenue, { access: 'edit' })).body.expires_in).toBeLessThanOrEqual(600);
    expect((await token()).expires_in).toBeGreaterThan(30 * 60);
  });
});

describe('what decides over a token', () => {
  test('AZ-05 rights are checked before a token is reused', async () => {
    await token();
    const admin = await world.service.asAdmin();
    await admin.delete(`/api/workspaces/${revenue.workspaceId}/members/${user.id}`);
    expect((await world.embed(ada, revenue)).status).toBe(404);
  });

  test('RACE-11 AZ-13 what is taken away during the call is not handed out', async () => {
    await world.fault({ delay_ms: 600 });
    const asked = world.embed(ada, revenue);
    while ((await world.asked()).length === 0) await world.service.database.query('SELECT pg_sleep(0.02)');
    await world.service.database.query('DELETE FROM memberships WHERE user_id = $1', [user.id]);
    expect((await asked).status).toBe(404);
    expect(await world.service.database.query('SELECT * FROM embed_grants')).toEqual([]);
  });

  /** While Power BI is still asked, something happens. */
  async function meanwhile(happens: () => Promise<unknown>) {
    await world.fault({ delay_ms: 600, times: 1 });
    const asked = world.embed(ada, revenue);
    while ((await world.asked()).length === 0) await world.service.database.query('SELECT pg_sleep(0.02)');
    await happens();
    return asked;
  }

  test('AZ-13 who is disabled during the call gets none', async () => {
    const answer = await meanwhile(() =>
      world.service.database.query(`UPDATE users SET status = 'disabled' WHERE id = $1`, [user.id]),
    );
    expect(answer).toMatchObject({ status: 403, body: { code: 'access_denied' } });
    expect(await world.service.database.query('SELECT * FROM embed_grants')).toEqual([]);
  });

  test('AZ-13 who is no longer an admin during the call gets none', async () => {
    const admin = await world.service.factory.admin();
    ada = await world.service.as(admin);
    const answer = await meanwhile(() =>
      world.service.database.query(`UPDATE users SET role = 'member' WHERE id = $1`, [admin.id]),
    );
    expect(answer.status).toBe(404);
  });

  test('AZ-06 a grant that is cut during the call is not outlived', async () => {
    const soon = new Date(world.service.clock.now().getTime() + 10.5 * 60_000);
    const answer = await meanwhile(() => world.service.factory.grant(user, sales, 'viewer', soon));
    expect(answer.status).toBe(200);
    expect(answer.body.expires_in).toBeLessThanOrEqual(600);
    // One for the right as it was, and one for what is left of it.
    expect(await world.asked()).toHaveLength(2);
    const grants = await world.service.database.query('SELECT * FROM embed_grants');
    expect(grants).toHaveLength(1);
  });

  test('AZ-15 view and edit, another report, another policy and another attribute are other tokens', async () => {
    const admin = await world.service.asAdmin();
    await world.service.factory.grant(user, sales, 'editor');
    const region = await world.report('My region');
    const policy = (roles: string[]) =>
      world.policy(admin, 'Sales by region', { username: '{{email}}', roles });
    const tokens = [await token(), (await world.embed(ada, revenue, { access: 'edit' })).body];
    await policy(['Europe']);
    tokens.push((await world.embed(ada, region)).body, (await world.embed(ada, region)).body);
    await policy(['Europe']);
    tokens.push((await world.embed(ada, region)).body);
    await policy(['{{attributes.region}}']);
    await admin.patch(`/api/users/${user.id}`, { attributes: { region: 'Europe' } });
    tokens.push((await world.embed(ada, region)).body);
    await admin.patch(`/api/users/${user.id}`, { attributes: { region: 'Americas' } });
    tokens.push((await world.embed(ada, region)).body);
    expect(tokens.every((each) => each.token_id !== undefined)).toBe(true);
    expect(new Set(tokens.map((each) => each.token_id)).size).toBe(6);
    expect(await world.asked()).toHaveLength(6);
  });
});
