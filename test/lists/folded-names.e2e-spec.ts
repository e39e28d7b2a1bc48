import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { foldName } from '../../src/core/lists/fold-name.js';
import { canonicalName } from '../../src/core/validation/text.js';
import type { Workspace } from '../../src/workspaces/workspace.entity.js';
import type { ApiResponse, Client } from '../support/client.js';
import { type Service, startService } from '../support/service.js';
import { plant, rollUp } from '../usage/figures.js';

interface Named {
  name: string;
}

/** As other systems write them: decomposed, with no-break spaces, in another case. */
const names = [
  'Zulu',
  'A\u030Angstro\u0308m',
  '\u00C9mile\u00A0Re\u0301sume\u0301',
  'stra\u00DFe',
  '\u00DCbersicht',
  'ørsted',
];
/** In the order of a dictionary. */
const ordered = [1, 2, 5, 3, 4, 0].map((index) => canonicalName(names[index] ?? ''));
const known = new Set(ordered);

let service: Service;
let admin: Client;
let workspace: Workspace;
/** Paths of lists that contain these names, and the member of the response with the items. */
let lists: [path: string, items: string][];

beforeAll(async () => {
  service = await startService();
  admin = await service.asAdmin();
  workspace = await service.factory.workspace({ name: 'Home' });
  const [firstReport] = await Promise.all(names.map((name) => service.factory.report(workspace, { name })));
  const reportId = firstReport?.id ?? '';
  const team = await service.factory.group({ name: 'Team' });
  for (const name of names) {
    await service.factory.workspace({ name });
    await service.factory.dataset(workspace, { name });
    const user = await service.factory.user({ name });
    await admin.post('/api/groups', { name });
    await service.factory.grant(user, workspace);
    await admin.put(`/api/groups/${team.id}/members/users/${user.id}`);
    await admin.post(`/api/reports/${reportId}/views`, { name, state: 'x', scope: 'shared' });
    const report = await service.database.query<{ id: string }[]>('SELECT id FROM reports WHERE name = $1', [
      name,
    ]);
    const target = { id: report[0]?.id ?? '', workspaceId: workspace.id };
    await plant(service, [{ report: target, person: user.id, at: service.clock.now().toISOString() }]);
  }
  await rollUp(service);
  lists = [
    ['/api/workspaces', 'workspaces'],
    ['/api/reports', 'reports'],
    ['/api/datasets', 'datasets'],
    ['/api/groups', 'groups'],
    [`/api/groups/${team.id}/members`, 'members'],
    [`/api/workspaces/${workspace.id}/candidates?q=`, 'candidates'],
    [`/api/workspaces/${workspace.id}/grants`, 'grants'],
    [`/api/reports/${reportId}/viewers`, 'viewers'],
    [`/api/reports/${reportId}/views?sort=name`, 'views'],
    ['/api/usage/reports?sort=name', 'reports'],
  ];
}, 120_000);
afterAll(() => service.close());

/** Groups are stored with one form of each character and space. */
const nameOf = (item: Named & { holder?: Named }): string => canonicalName(item.holder?.name ?? item.name);

/** All pages, with those of the names that they contain. */
async function listed(
  path: string,
  items: string,
  parameters: Record<string, string> = {},
): Promise<string[]> {
  const found: string[] = [];
  let next: string | undefined =
    `${path}${path.includes('?') ? '&' : '?'}${new URLSearchParams(parameters).toString()}`;
  while (next !== undefined) {
    const response: ApiResponse<Record<string, (Named & { holder?: Named })[]>> = await admin.get(next);
    expect([path, response.status]).toEqual([path, 200]);
    found.push(...(response.body[items] ?? []).map(nameOf).filter((name) => known.has(name)));
    [, next] = /^<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '') ?? [];
  }
  // A user and a group of the same name may both be candidates.
  return [...new Set(found)];
}

describe('C10 names with accents', () => {
  test('have the order of a dictionary in every list, page by page', async () => {
    for (const [path, items] of lists.filter(([each]) => !each.includes('candidates'))) {
      expect([path, await listed(path, items)]).toEqual([path, ordered]);
      expect([path, await listed(path, items, { limit: '1' })]).toEqual([path, ordered]);
    }
  });

  test.each([
    ['resume', 2],
    ['r\u00E9sum\u00E9', 2],
    ['emile resume', 2],
    ['E\u0301MILE\u00A0R', 2],
    ['angstrom', 1],
    ['\u00C5ngstr\u00F6m', 1],
    ['\u00FCbersicht', 4],
    ['u\u0308ber', 4],
    ['STRASSE', 3],
    ['Stra\u00DFe', 3],
    ['orst', 5],
    ['\u00C5', 1],
    ['re', 2],
  ])('%s is found in every list', async (q, index) => {
    for (const [path, items] of lists) {
      const found = path.endsWith('?q=')
        ? await listed(path + encodeURIComponent(q), items)
        : await listed(path, items, { q });
      const wanted = [canonicalName(names[index] ?? '')];
      // A short term matches the beginnings of words of other names, too.
      expect([path, q.length > 2 ? found : found.filter((name) => wanted.includes(name))]).toEqual([
        path,
        wanted,
      ]);
    }
  });

  test('are found by /api/search, by users and by invitations', async () => {
    const { body } = await admin.get<{ results: (Named & { type: string })[] }>('/api/search?q=resume');
    expect(body.results.map(({ type, name }) => `${type} ${name}`).toSorted()).toEqual(
      ['report', 'user', 'workspace'].map((type) => `${type} ${names[2]}`),
    );
    const { body: users } = await admin.get<{ users: Named[] }>('/api/users?q=angstrom');
    expect(users.users.map(({ name }) => name)).toEqual([names[1]]);
    await admin.post('/api/users/invite', { email: 'rene@example.com', name: 'Rene\u0301 Descartes' });
    const { body: invited } = await admin.get<{ invitations: Named[] }>('/api/invitations?q=ren%C3%A9%20d');
    expect(invited.invitations).toHaveLength(1);
  });

  test.each([
    'b\u00fccher',
    'B\u00DCCHER.Example',
    'ida@b\u00fccher',
    'xn--bcher-kva',
    'ida@xn--bcher-kva.ex',
  ])('C11 people and invitations are found by the domain of their address as %s', async (term) => {
    const email = 'ida@xn--bcher-kva.example';
    const [known] = await service.database.query<{ id: string }[]>('SELECT id FROM users WHERE email = $1', [
      email,
    ]);
    const { id } = known ?? (await service.factory.user({ email }));
    const { body: groups } = await admin.get<{ groups: { id: string }[] }>('/api/groups?q=team');
    await admin.put(`/api/groups/${groups.groups[0]?.id}/members/users/${id}`);
    await admin.put(`/api/workspaces/${workspace.id}/members/${id}`, { role: 'viewer' });
    await admin.post('/api/users/invite', { email: 'new@b\u00fccher.example' });
    const paths = [
      '/api/users',
      '/api/search',
      `/api/groups/${groups.groups[0]?.id}/members`,
      `/api/workspaces/${workspace.id}/members`,
      `/api/workspaces/${workspace.id}/grants`,
      `/api/workspaces/${workspace.id}/candidates`,
    ];
    for (const path of paths) {
      const { body } = await admin.get(`${path}?q=${encodeURIComponent(term)}`);
      expect([path, JSON.stringify(body).includes(id)]).toEqual([path, true]);
    }
    const address = term.replace('ida', 'new');
    const { body } = await admin.get(`/api/invitations?q=${encodeURIComponent(address)}`);
    expect(body).toMatchObject({ invitations: [{ email: 'new@xn--bcher-kva.example' }] });
  });

  test('of two groups may differ by an accent, but not by the form of a character or space', async () => {
    const create = async (name: string) => (await admin.post('/api/groups', { name })).status;
    expect(await create('Caf\u00E9 Nord')).toBe(201);
    expect(await create('Cafe Nord')).toBe(201);
    for (const same of ['Cafe\u0301 Nord', 'CAF\u00C9\u00A0NORD']) expect(await create(same)).toBe(409);
  });
});

describe('C10 the key of a name', () => {
  test('does not depend on the form of a character, of case or of a space', async () => {
    const letters = Array.from({ length: 0x1_f000 }, (_, code) => String.fromCodePoint(code)).filter((each) =>
      /[\p{L}\p{M}\p{N}\p{P}\p{S}]/u.test(each),
    );
    const different = await service.database.query<object[]>(
      `SELECT text FROM unnest($1::text[]) AS letter, concat('a', letter, ' b') AS text
       WHERE fold_name(text) <> ALL (ARRAY[fold_name(normalize(text, NFC)), fold_name(normalize(text, NFD)),
         fold_name(replace(text, ' ', U&'\\00A0\\2003'))]) LIMIT 5`,
      [letters],
    );
    expect(different).toEqual([]);
    // As the service classifies a term; other scripts have no trigrams, and versions of Unicode differ in them.
    const latin = letters.filter(
      (each) => /[\p{Script=Latin}\p{Script=Common}]/u.test(each) && each < '\u2c00',
    );
    const rows = await service.database.query<{ letter: string; key: string }[]>(
      'SELECT letter, fold_name(letter) AS key FROM unnest($1::text[]) AS letter',
      [latin],
    );
    expect(rows.filter(({ letter, key }) => key !== foldName(letter))).toEqual([]);
  });

  test('fits into an index, also of characters that become many', async () => {
    const name = '\uFDFA'.repeat(200);
    expect(await admin.post('/api/groups', { name })).toMatchObject({ status: 201, body: { name } });
    const report = await service.factory.report(workspace, { name });
    const { body } = await admin.get<{ reports: { id: string }[] }>(
      `/api/reports?q=${encodeURIComponent('\uFDFA')}`,
    );
    expect(body.reports.map(({ id }) => id)).toEqual([report.id]);
  });
});
