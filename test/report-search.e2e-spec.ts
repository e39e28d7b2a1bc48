import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { fillCatalogue, grantSome } from '../bench/catalogue-rows.js';
import { Client as Connection } from 'pg';
import type { Answer, Client } from './support/client.js';
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
  await grantSome(connection, person.id, 40);
  const memberships = await connection.query<{ workspace_id: string }>(
    'SELECT workspace_id FROM memberships WHERE user_id = $1',
    [person.id],
  );
  granted = new Set(memberships.rows.map(({ workspace_id }) => workspace_id));
  // In the order of the lists.
  ({ rows } = await connection.query<Row>(
    'SELECT id, name, name_key, workspace_id FROM reports ORDER BY name_key, id',
  ));
  [admin, member] = [await service.asAdmin(), await service.as(person)];
}, 60_000);
afterAll(async () => {
  await connection.end();
  await service.close();
});

/** All pages. */
async function search(client: Client, q: string): Promise<string[]> {
  const ids: string[] = [];
  let path: string | undefined = `/api/reports?limit=700&q=${encodeURIComponent(q)}`;
  while (path !== undefined) {
    const { status, headers, body }: Answer<Found> = await client.get(path);
    expect(status).toBe(200);
    ids.push(...body.reports.map(({ id }) => id));
    [, path] = /^<([^>]+)>/.exec(headers.get('link') ?? '') ?? [];
  }
  return ids;
}

describe('a search of reports finds every name that has it, and no other, in the order of the names', () => {
  test.each([
    ['what is in all names', 'report'],
    ['rare letters beside frequent ones', 'workspace 00004'],
    ['rare letters', '0142'],
    ['frequent letters in an order that is rare', 'of report'],
    ['frequent letters in an order that is nowhere', 'workspace report'],
    ['nothing', 'quarterly'],
    ['one letter', '7'],
    ['two letters', 'zz'],
    ['two letters that are nowhere', 'qx'],
    ['one letter of few names', 'x'],
    ['one letter at the end of a name', 'q'],
    ['one letter that is nowhere', 'ñ'],
    ['two letters that begin at an odd place', 'ax'],
    ['two letters that begin at an even place', 'uv'],
    ['two letters at the end of a name', 'vw'],
    ['two letters, of which one is another case', 'Uv'],
    ['two letters with a blank between them, which are no pair', 'xu'],
    ['another case', 'RePoRt 0003 OF'],
    ['a letter that becomes two', 'STRASSE'],
    ['letters of other scripts', 'οδος'],
    ['a capital that other letters end', 'ΟΔΟΣ αθ'],
    ['letters that look like others', 'kelvin k'],
    ['a dotted capital', 'İstan'],
    ['wildcards, which mean themselves', '100% sure_'],
    ['a wildcard alone', '_'],
    ['a backslash', '\\ d'],
    ['a blank at the end', 'report '],
  ])('%s: %s', async (_kind, q) => {
    const { rows: matching } = await connection.query<Row>(
      `SELECT id, name, name_key, workspace_id FROM reports
       WHERE position(lower($1 COLLATE "und-x-icu") IN name_key) > 0 ORDER BY name_key, id`,
      [q],
    );
    expect(await search(admin, q)).toEqual(matching.map(({ id }) => id));
    const own = matching.filter(({ workspace_id: id }) => granted.has(id));
    expect(await search(member, q)).toEqual(own.map(({ id }) => id));
  });

  test('those that are there are found', async () => {
    expect(await search(admin, 'report of')).toHaveLength(1);
    expect(await search(admin, 'ΟΔΟΣ')).toHaveLength(1);
    expect(await search(admin, 'zz')).toHaveLength(1);
    expect(await search(admin, 'x')).toHaveLength(2);
    expect(await search(admin, 'vw')).toHaveLength(1);
    expect(await search(admin, 'report')).toHaveLength(rows.length - strange.length + 2);
  });
});
