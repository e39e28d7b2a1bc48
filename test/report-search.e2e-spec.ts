import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { fillCatalogue, grantWorkspaces } from '../bench/catalogue-rows.js';
import { Client as Connection } from 'pg';
import type { ApiResponse, Client } from './support/client.js';
import { type Service, startService } from './support/service.js';

interface Row {
  id: string;
  name: string;
  name_key: string;
  workspace_id: string;
}

interface Found {
  reports: { id: string }[];
}

const strange = [
  'Straße und Plätze',
  'ΟΔΟΣ ΑΘΗΝΑΣ',
  'İstanbul Kelvin \u212A',
  '100% sure_thing \\ done',
  'zz top',
  'report of 0471',
  'of report',
  'x',
  'jax uvw',
  'q1 q',
  '7-Eleven (Kyoto)',
  "O'Brien_Yard/Ünit",
  'Grün blau',
  'ñandú ñu',
  '日本 東京',
];

let service: Service;
let connection: Connection;
let admin: Client;
let member: Client;
let granted: Set<string>;
let rows: Row[];

beforeAll(async () => {
  service = await startService({ RATE_LIMIT_API_PER_MINUTE: '0' });
  connection = new Connection({ connectionString: service.databaseUrl });
  await connection.connect();
  await fillCatalogue(connection, { workspaces: 150, reportsEach: 20 });
  await connection.query(
    `UPDATE reports SET name = named.name FROM unnest($1::text[]) WITH ORDINALITY AS named (name, n),
       (SELECT id, row_number() OVER (ORDER BY id) AS n FROM reports) AS numbered
     WHERE reports.id = numbered.id AND numbered.n = named.n`,
    [strange],
  );
  await connection.query('VACUUM ANALYZE reports');
  const person = await service.factory.user();
  await grantWorkspaces(connection, person.id, 40);
  const memberships = await connection.query<{ workspace_id: string }>(
    'SELECT workspace_id FROM grants WHERE user_id = $1',
    [person.id],
  );
  granted = new Set(memberships.rows.map(({ workspace_id }) => workspace_id));
  // In the order of the lists.
  ({ rows } = await connection.query<Row>(
    'SELECT id, name, name_key, workspace_id FROM reports ORDER BY name_key, id',
  ));
  [admin, member] = [await service.asAdmin(), await service.as(person)];
});
afterAll(async () => {
  await connection.end();
  await service.close();
});

/** All pages. */
async function search(client: Client, q: string): Promise<string[]> {
  const ids: string[] = [];
  let path: string | undefined = `/api/reports?limit=700&q=${encodeURIComponent(q)}`;
  while (path !== undefined) {
    const { status, headers, body }: ApiResponse<Found> = await client.get(path);
    expect(status).toBe(200);
    ids.push(...body.reports.map(({ id }) => id));
    [, path] = /^<([^>]+)>/.exec(headers.get('link') ?? '') ?? [];
  }
  return ids;
}

/** As the service compares it. */
const folded = async (q: string): Promise<string> => {
  const { rows: found } = await connection.query<{ q: string }>('SELECT fold_name($1) AS q', [q]);
  return found[0]?.q ?? '';
};

async function expectExactly(q: string, isMatch: (row: Row) => boolean): Promise<void> {
  const matching = rows.filter(isMatch);
  expect(await search(admin, q)).toEqual(matching.map(({ id }) => id));
  const own = matching.filter(({ workspace_id: id }) => granted.has(id));
  expect(await search(member, q)).toEqual(own.map(({ id }) => id));
}

describe('a search of reports finds exactly the matching names, in name order', () => {
  test.each([
    ['a part of all names', 'report'],
    ['rare letters beside frequent ones', 'workspace 00004'],
    ['rare letters', '0142'],
    ['frequent words in a rare order', 'of report'],
    ['frequent words in an order of no name', 'workspace report'],
    ['a part of no name', 'quarterly'],
    ['three letters', 'jax'],
    ['the end of a name', 'uvw'],
    ['another case', 'RePoRt 0003 OF'],
    ['a letter whose upper case has two', 'STRASSE'],
    ['letters of other scripts', 'οδος'],
    ['a capital with a special form at the end of a word', 'ΟΔΟΣ αθ'],
    ['letters with a compatibility form', 'kelvin k'],
    ['a dotted capital', 'İstan'],
    ['wildcards, which match themselves', '100% sure_'],
    ['a wildcard alone', '_'],
    ['a percent sign alone', '%'],
    ['a letter and a punctuation mark', '7-'],
    ['a punctuation mark and a letter', '_y'],
    ['a backslash', '\\ d'],
    ['a blank at the end', 'report '],
    ['a blank and a letter', ' q'],
  ])('any part of a name: %s: %s', async (_kind, q) => {
    const term = await folded(q);
    await expectExactly(q, ({ name_key: key }) => key.includes(term));
  });

  test.each([
    ['a letter and a digit of no name', 'w7'],
    ['one letter of all names', 'r'],
    ['two letters of all names', 'of'],
    ['two letters of no name', 'qx'],
    ['one letter', 'x'],
    ['two letters', 'zz'],
    ['two letters inside a word only', 'ax'],
    ['two letters at the end of a word only', 'vw'],
    ['another case', 'Uv'],
    ['a digit', '7'],
    ['a letter and a digit', 'q1'],
    ['a letter after a hyphen', 'e'],
    ['a letter after a parenthesis', 'k'],
    ['a letter after an apostrophe', 'b'],
    ['a letter after an underscore', 'ya'],
    ['a non-ASCII letter after a slash', 'Ü'],
    ['a letter after a non-ASCII letter', 'n'],
    ['a letter with an accent', 'ñ'],
    ['a letter of another script', 'Α'],
    ['an ideograph', '東'],
  ])('one or two letters or digits match the beginning of a word: %s: %s', async (_kind, q) => {
    const beginning = new RegExp(String.raw`(?<![\p{L}\p{N}])${await folded(q)}`, 'u');
    await expectExactly(q, ({ name_key: key }) => beginning.test(key));
  });

  test.each([
    ['report of', 1],
    ['ΟΔΟΣ', 1],
    ['zz', 1],
    ['x', 1],
    ['ax', 0],
    ['uv', 1],
    ['vw', 0],
    ['7', 1],
    ['ya', 1],
    ['n', 1],
    ['ñ', 1],
    ['gru', 1],
    ['東', 1],
  ])('%s is found this many times: %d', async (q, count) => {
    expect(await search(admin, q)).toHaveLength(count);
  });

  test('a term in all names is found in all of them', async () => {
    expect(await search(admin, 'report')).toHaveLength(rows.length - strange.length + 2);
    expect(await search(admin, 're')).toHaveLength(rows.length - strange.length + 2);
  });
});
