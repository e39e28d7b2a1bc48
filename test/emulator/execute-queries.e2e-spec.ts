import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { EmulatorClient } from '../support/emulator-client.js';

interface Result {
  results: { tables: { rows: Record<string, unknown>[] }[] }[];
}

let emulator: EmulatorClient;

beforeAll(async () => {
  emulator = await EmulatorClient.start();
});
beforeEach(() => emulator.reset());
afterAll(() => emulator.close());

async function ask(query: string, more: object = {}, name = 'Sales') {
  const { id } = await emulator.dataset('Sales', name);
  return emulator.post<Result>(`/datasets/${id}/executeQueries`, { queries: [{ query }], ...more });
}

async function rows(query: string, more: object = {}, name = 'Sales') {
  const { status, body, text } = await ask(query, more, name);
  if (status !== 200) throw new Error(text);
  return body.results[0]!.tables[0]!.rows;
}

describe('executeQueries', () => {
  test('returns a table of the demo data', async () => {
    const all = await rows('EVALUATE Sales');
    expect(all).toHaveLength(72);
    expect(Object.keys(all[0]!)).toEqual([
      'Sales[Month]',
      'Sales[Region]',
      'Sales[Product]',
      'Sales[Customer]',
      'Sales[Representative]',
      'Sales[Revenue]',
      'Sales[Orders]',
    ]);
    expect(await rows("evaluate 'sales'")).toEqual(all);
  });

  test('groups, filters, sorts and limits', async () => {
    const all = await rows('EVALUATE Sales');
    const sum = (region: string) =>
      all
        .filter((row) => row['Sales[Region]'] === region)
        .reduce((total, row) => total + Number(row['Sales[Revenue]']), 0);
    expect(
      await rows(
        'EVALUATE SUMMARIZECOLUMNS(Sales[Region], "Revenue", SUM(Sales[Revenue]), "Rows", COUNTROWS(Sales)) ORDER BY Sales[Region]',
      ),
    ).toEqual([
      { 'Sales[Region]': 'Americas', '[Revenue]': sum('Americas'), '[Rows]': 36 },
      { 'Sales[Region]': 'Europe', '[Revenue]': sum('Europe'), '[Rows]': 36 },
    ]);
    const byProduct =
      'SUMMARIZECOLUMNS(Sales[Product], FILTER(Sales, Sales[Region] = "Europe"), "R", [Total Revenue])';
    const products = await rows(`EVALUATE ${byProduct}`);
    expect(products.reduce((total, row) => total + Number(row['[R]']), 0)).toBe(sum('Europe'));
    expect(await rows('EVALUATE VALUES(Sales[Product]) ORDER BY Sales[Product] DESC')).toEqual(
      ['Service', 'Sensors', 'Controllers'].map((name) => ({ 'Sales[Product]': name })),
    );
    const [top, next] = await rows('EVALUATE TOPN(2, Sales, Sales[Revenue], DESC)');
    expect(top?.['Sales[Revenue]']).toBe(Math.max(...all.map((row) => Number(row['Sales[Revenue]']))));
    expect(Number(next?.['Sales[Revenue]'])).toBeLessThanOrEqual(Number(top?.['Sales[Revenue]']));
    expect(await rows('EVALUATE TOPN(1, VALUES(Sales[Month]), Sales[Month], ASC)')).toEqual([
      { 'Sales[Month]': '2025-01' },
    ]);
  });

  test('computes a row, and omits blanks unless they are requested', async () => {
    const query =
      'EVALUATE ROW("a", 1 + 2 * 3, "b", "x", "c", BLANK(), "d", MAX(Sales[Month]) = "2025-12" && 1 < 2)';
    expect(await rows(query)).toEqual([{ '[a]': 7, '[b]': 'x', '[d]': true }]);
    expect(await rows(query, { serializerSettings: { includeNulls: true } })).toEqual([
      { '[a]': 7, '[b]': 'x', '[c]': null, '[d]': true },
    ]);
    const counts =
      'EVALUATE ROW("n", DISTINCTCOUNT(Sales[Product]), "m", MIN(Sales[Region]), "o", COUNT(Sales[Orders]))';
    expect(await rows(counts)).toEqual([{ '[n]': 3, '[m]': 'Americas', '[o]': 72 }]);
  });

  test('applies row-level security to the impersonated user', async () => {
    const query = 'EVALUATE ROW("n", COUNTROWS(Sales))';
    const count = async (name: string, impersonatedUserName: string) =>
      (await rows(query, { impersonatedUserName }, name))[0]?.['[n]'];
    expect(await count('Sales', 'ada@vitrine.example')).toBe(72);
    expect(await count('Sales by representative', 'ada@vitrine.example')).toBe(37);
    expect(await count('Sales by representative', 'eve@vitrine.example')).toBeUndefined();
    expect(await count('Sales by region', 'ben@vitrine.example')).toBe(27);
    expect(await count('Sales by region', 'admin@vitrine.example')).toBe(72);
    expect((await ask(query, {}, 'Sales by representative')).status).toBe(400);
    await emulator.set({ guesses: { query_without_user: 'no_rows' } });
    expect(await rows(query, {}, 'Sales by representative')).toEqual([{}]);
  });

  test('queries the tables of a seed', async () => {
    const tables = { "Bob's": [{ Year: 2025 }, { Year: 2026 }] };
    await emulator.control('POST', '/content', { workspaces: [{ datasets: [{ tables }] }] });
    const { id } = await emulator.dataset('Workspace 1', 'Dataset 1');
    const query = "EVALUATE FILTER('Bob''s', 'Bob''s'[Year] > 2025)";
    const { body } = await emulator.post<Result>(`/datasets/${id}/executeQueries`, { queries: [{ query }] });
    expect(body.results[0]?.tables[0]?.rows).toEqual([{ "Bob's[Year]": 2026 }]);
  });

  test.each([
    'EVALUATE',
    'EVALUATE Nope',
    'EVALUATE VALUES(Sales[Nope])',
    'EVALUATE CALCULATETABLE(Sales)',
    'EVALUATE ROW("x", [Nope])',
    'EVALUATE ROW("x", Sales[Region])',
    'EVALUATE Sales Sales',
    'EVALUATE SUMMARIZECOLUMNS("x", 1)',
    'SELECT * FROM Sales',
    'EVALUATE {1}',
  ])('refuses %s as Power BI refuses a query', async (query) => {
    const { status, body } = await ask(query);
    expect(status).toBe(400);
    expect(body).toMatchObject({
      error: {
        code: 'DatasetExecuteQueriesError',
        'pbi.error': { details: [{ code: 'DetailsMessage' }, { code: 'AnalysisServicesErrorCode' }] },
      },
    });
  });

  test('takes one query, of who may build on the dataset', async () => {
    const { id } = await emulator.dataset('Sales', 'Sales');
    const query = { query: 'EVALUATE Sales' };
    const path = `/datasets/${id}/executeQueries`;
    expect((await emulator.post(path, { queries: [query, query] })).status).toBe(400);
    expect((await emulator.post(path, { queries: [{}] })).status).toBe(400);
    const partners = await emulator.dataset('Partners', 'Partner sales');
    const board = 'c0000008-0000-4000-8000-000000000001';
    for (const other of [partners.id, board]) {
      const { status } = await emulator.post(`/datasets/${other}/executeQueries`, { queries: [query] });
      expect(status).toBe(401);
    }
    const unknown = `/datasets/${crypto.randomUUID()}/executeQueries`;
    expect((await emulator.post(unknown, { queries: [query] })).status).toBe(404);
  });
});
