import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { personalDataRegistry } from '../../src/accounts/personal-data.js';
import type { User } from '../../src/users/user.entity.js';
import type { Exporting } from '../exports/exporting.js';
import { scimClient } from '../scim/scim-client.js';
import { newPerson, patchOf } from '../scim/scim-service.js';
import type { Client } from '../support/client.js';
import { password } from '../support/factory.js';
import { until } from '../support/until.js';
import { eva, fullPerson, startPersonal } from './full-person.js';

let at: Exporting;
let admin: Client;
let user: User;

beforeAll(async () => {
  at = await startPersonal();
  admin = await at.service.asAdmin();
  ({ user } = await fullPerson(at, admin));
});
afterAll(() => at.service.close());

interface Found {
  column: string;
  value: string;
}

/** Columns of any type, in every table with rows, whose text contains one of these values. */
async function columnsWith(values: readonly string[]): Promise<string[]> {
  const { database } = at.service;
  const columns = await database.query<{ name: string; schema: string; column: string }[]>(
    `SELECT n.nspname AS schema, c.relname AS name, a.attname AS column
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
       JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
     WHERE n.nspname !~ '^(pg_|information_schema)' AND c.relkind IN ('r', 'p') AND NOT c.relispartition`,
  );
  const found: Found[] = [];
  for (const { schema, name, column } of columns) {
    const table = schema === 'public' ? name : `${schema}.${name}`;
    for (const value of values) {
      const rows = await database.query<object[]>(
        `SELECT FROM "${schema}"."${name}" WHERE position(lower($1) IN lower("${column}"::text)) > 0 LIMIT 1`,
        [value],
      );
      if (rows.length > 0) found.push({ column: `${table}.${column}`, value });
    }
  }
  return [...new Set(found.map(({ column }) => column))].toSorted();
}

const { email, name, renamed, ip, agent, attribute, subject, reason, view } = eva;
const values = [email, name, renamed, ip, agent, attribute, subject, reason, `${view} private`];

/** Columns that erasure keeps, with a reason. */
const kept = personalDataRegistry.flatMap(({ table, columns, erasure }) =>
  'keeps' in erasure ? columns.map((column) => `${table}.${column}`) : [],
);

describe('an address and a name of before', () => {
  test.each([
    ['revoked', 'nadia'],
    ['open', 'olga'],
  ])('of an invitation that was %s and of its message do not remain', async (kind, given) => {
    const { factory } = at.service;
    const [former, now, invited] = [
      `${given}.former@example.com`,
      `${given}.now@example.com`,
      `${given} Former`,
    ];
    const message = `Dear ${given} Nobody`;
    const { body } = await admin.post<{ id: string }>('/api/users/invite', {
      email: former,
      name: invited,
      message,
    });
    if (kind === 'revoked') await admin.delete(`/api/invitations/${body.id}`);
    const person = await factory.user({ email: former, name: given });
    await admin.patch(`/api/users/${person.id}`, { email: now });
    await admin.patch(`/api/users/${person.id}`, { status: 'disabled' });
    expect(await columnsWith([former, invited, message])).toContain('invitations.name');
    expect((await admin.post(`/api/users/${person.id}/erase`)).status).toBe(204);
    const found = await columnsWith([former, invited, message, now]);
    expect(found.filter((column) => !kept.includes(column))).toEqual([]);
  });
});

describe('the address of a mail', () => {
  const remaining = async ({ id }: User, address: string): Promise<string[]> => {
    await admin.patch(`/api/users/${id}`, { status: 'disabled' });
    expect((await admin.post(`/api/users/${id}/erase`)).status).toBe(204);
    return (await columnsWith([address])).filter((column) => !kept.includes(column));
  };

  test('that the server of the person refused does not remain, and the log says without it what failed', async () => {
    const { factory, mailbox, database } = at.service;
    const warn = jest.spyOn(Logger.prototype, 'warn');
    const person = await factory.user({ email: 'felix.refused@example.com' });
    const message = `<${person.email}> is busy`;
    mailbox.refuseWith({ responseCode: 450, message });
    const api = await at.service.as(person);
    const passwords = { current_password: password, new_password: `${password} new` };
    expect((await api.put('/api/users/me/password', passwords)).status).toBe(204);
    const failed = await until(async () => {
      const [job] = await database.query<{ output: object }[]>(
        `SELECT output FROM pgboss.job WHERE output IS NOT NULL AND data->>'user_id' = $1`,
        [person.id],
      );
      return job?.output;
    });
    mailbox.refuseWith();
    expect(failed).toMatchObject({ code: 'EENVELOPE', responseCode: 450, command: 'RCPT TO' });
    const logged = warn.mock.calls.map(([entry]) => entry as { queue?: string; err?: Error });
    warn.mockRestore();
    const { err } = logged.find(({ queue }) => queue === 'password_changed_mail') ?? {};
    expect(err).toMatchObject({ code: 'EENVELOPE', responseCode: 450 });
    expect(inspect(err)).not.toContain(person.email);
    expect(await remaining(person, person.email)).toEqual([]);
  });

  test('about a new password that was requested for a former address does not remain', async () => {
    const former = 'greta.former@example.com';
    const person = await at.service.factory.user({ email: former });
    await at.service.api.post('/api/auth/token', { grant_type: 'password_reset_request', email: former });
    await admin.patch(`/api/users/${person.id}`, { email: 'greta.now@example.com' });
    expect(await columnsWith([former])).toContain('pgboss.job.data');
    expect(await remaining(person, former)).toEqual([]);
  });

  test.each(['changed', 'restored'])(
    'about a new password does not remain if SCIM %s the person with another address',
    async (how) => {
      const scim = await scimClient(at.service);
      const [former, now] = [`${how}.former@example.com`, `${how}.now@example.com`];
      const emailsOf = (value: string) => [{ primary: true, type: 'work', value }];
      const given = newPerson({ emails: emailsOf(former) });
      const { body: person } = await scim.post<User>('/scim/v2/Users', given);
      await at.service.api.post('/api/auth/token', { grant_type: 'password_reset_request', email: former });
      expect(await columnsWith([former])).toEqual(['pgboss.job.data', 'users.email']);
      const path = `/scim/v2/Users/${person.id}`;
      if (how === 'changed')
        await scim.patch(path, patchOf({ op: 'replace', path: 'emails', value: emailsOf(now) }));
      else {
        await scim.delete(path);
        await scim.post('/scim/v2/Users', { ...given, emails: emailsOf(now) });
      }
      expect(await columnsWith([now])).toEqual(['users.email']);
      expect(await remaining(person, former)).toEqual([]);
    },
  );
});

describe('POST /api/users/:id/erase', () => {
  test('before it, the values are in the columns that are registered, and in no others', async () => {
    const registered = personalDataRegistry.flatMap(({ table, columns }) =>
      columns.map((column) => `${table}.${column}`),
    );
    const found = await columnsWith(values);
    const unregistered = found.filter((column) => !registered.includes(column));
    // The name of a view belongs to the view, which `created_by` refers to.
    expect(unregistered).toEqual(['saved_views.name', 'saved_views.name_key']);
    expect(found.length).toBeGreaterThan(15);
  });

  test('afterwards, each is only where it is kept for a reason', async () => {
    await admin.patch(`/api/users/${user.id}`, { status: 'disabled' });
    expect((await admin.post(`/api/users/${user.id}/erase`)).status).toBe(204);
    const found = await columnsWith(values);
    expect(found.filter((column) => !kept.includes(column))).toEqual([]);
    // The trail is evidence of the address and the browser.
    expect(found).toEqual(['audit_events.ip', 'audit_events.user_agent']);
    expect(await columnsWith([email])).toEqual([]);
  });

  test('afterwards, the id is only in columns that refer to an erased user', async () => {
    expect((await columnsWith([user.id])).filter((column) => !kept.includes(column))).toEqual([
      'embed_revocations.user_id',
      'invitations.email',
      'invitations.user_id',
      'issued_tokens.user_id',
      'users.email',
      'users.id',
    ]);
  });

  test('afterwards, the person cannot be exported', async () => {
    const { body } = await admin.get(`/api/users/${user.id}/export`);
    expect(body).toMatchObject({ status: 404, code: 'user_not_found' });
  });

  test('keeps the shared view without its owner', async () => {
    const rows = await at.service.database.query('SELECT name, created_by FROM saved_views');
    expect(rows).toEqual([{ name: `${view} shared`, created_by: null }]);
  });
});
