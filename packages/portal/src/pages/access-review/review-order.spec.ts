import { beforeAll, expect, test } from '@jest/globals';
import { init } from 'i18next';
import { matching, sorted } from './review-order.js';
import type { ReviewRow } from './review-row.js';

beforeAll(async () => {
  await init({ lng: 'en', resources: {} });
});

const row = (name: string, more: Partial<ReviewRow> = {}): ReviewRow => ({
  user: { id: name, name, email: null, status: 'active' },
  resource: { type: 'workspace', id: 'w', name: 'Sales', workspace_id: 'w', workspace_name: 'Sales' },
  role: 'viewer',
  path: [],
  group_id: null,
  source: 'manual',
  granted_by: null,
  granted_by_derived_right: false,
  granted_at: null,
  expires_at: null,
  last_token_at: null,
  ...more,
});

const names = (rows: readonly ReviewRow[]) => rows.map(({ user }) => user.name);

test('names are sorted as in a dictionary, in reverse with a leading minus', () => {
  const rows = ['Zulu', 'Ångström', 'team 10', 'Team 9', 'Émile'].map((name) => row(name));
  const order = ['Ångström', 'Émile', 'Team 9', 'team 10', 'Zulu'];
  expect(names(sorted(rows, 'user'))).toEqual(order);
  expect(names(sorted(rows, '-user'))).toEqual(order.toReversed());
});

test('roles are sorted by their rights, and access without an end is after every end', () => {
  const roles = [row('a', { role: 'admin' }), row('m', { role: 'manager' }), row('v')];
  expect(names(sorted(roles, 'role'))).toEqual(['v', 'm', 'a']);
  const [soon, later] = ['2027-01-01T00:00:00Z', '2030-01-01T00:00:00Z'];
  const ends = [row('never'), row('later', { expires_at: later }), row('soon', { expires_at: soon })];
  expect(names(sorted(ends, 'expires_at'))).toEqual(['soon', 'later', 'never']);
});

test('a search finds words of any name in the row, without case and accents, composed or not', () => {
  const rows = [row('U\u0308bersicht', { path: ['Équipe'] }), row('Other')];
  expect(names(matching(rows, 'übersicht'))).toEqual(['U\u0308bersicht']);
  expect(names(matching(rows, 'equipe UBER sales'))).toEqual(['U\u0308bersicht']);
  expect(matching(rows, 'equipe other')).toEqual([]);
});
