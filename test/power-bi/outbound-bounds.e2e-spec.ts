import { afterEach, describe, expect, test } from '@jest/globals';
import { powerBiFixture, revenue, sales } from './power-bi-fixture.js';

const closing: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of closing.splice(0).toReversed()) await each.close();
});

async function fixtureOf(options: Parameters<typeof powerBiFixture>[0] = {}) {
  const fixture = await powerBiFixture(options);
  closing.push(fixture);
  return fixture;
}

const id = 'b0000001-0000-4000-8000-000000000001';

/** The report as it is parsed from these fields. */
async function parsed(report: Record<string, unknown>) {
  const { powerBi, fault, emulator } = await fixtureOf();
  const body = JSON.parse(
    JSON.stringify({ value: [{ id, name: 'Revenue', ...report }] }).replaceAll('EMULATOR', emulator.url),
  );
  await fault({ path: '/reports$', status: 200, body });
  const [found] = await powerBi.listReports(sales);
  return found;
}

describe('text lengths (M6)', () => {
  test.each([
    ['a surrogate pair is not split', '😀'.repeat(401), `${'😀'.repeat(399)}…`],
    ['400 characters are kept', '😀'.repeat(400), '😀'.repeat(400)],
    ['a megabyte is truncated', 'x'.repeat(1_000_000), `${'x'.repeat(399)}…`],
    ['NUL and lone surrogates are replaced', 'A\0B\udc00', 'AB\ufffd'],
    ['a text of NULs counts as absent', '\0\0', id],
    ['a number counts as absent', 7, id],
  ])('a name: %s', async (_title, name, expected) => {
    expect(await parsed({ name })).toMatchObject({ name: expected });
  });

  test('a description is truncated, an empty one is null', async () => {
    const description = `${'é'.repeat(3999)}\ud800é`;
    expect((await parsed({ description }))?.description).toBe(`${'é'.repeat(3999)}…`);
    expect((await parsed({ description: '\0' }))?.description).toBeNull();
  });

  test.each(['id', 'datasetId'])('a report with a %s of 129 characters is rejected', async (field) => {
    await expect(parsed({ [field]: 'a'.repeat(129) })).rejects.toMatchObject({
      code: 'power_bi_unavailable',
      detail: 'Power BI sent a malformed response: an id is too long.',
    });
  });
});

describe('URLs (L7)', () => {
  const allowed = [
    'https://app.powerbi.com/groups/me/reports/1',
    'EMULATOR/reportEmbed?reportId=1',
    'https://APP.powerbi.com/x y',
  ];
  test.each(allowed)('%s is on a host of the cloud', async (address) => {
    const found = await parsed({ webUrl: address, embedUrl: address });
    expect(found?.webUrl).toMatch(/^https?:\/\/(app\.powerbi\.com|127\.0\.0\.1:\d+)\/\S+$/);
    expect(found?.embedUrl).toBe(found?.webUrl);
  });

  test('a URL of 5,000 characters is not stored', async () => {
    const address = `https://app.powerbi.com/${'x'.repeat(5000)}`;
    expect(await parsed({ webUrl: address, embedUrl: address })).toMatchObject({
      webUrl: null,
      embedUrl: '',
    });
  });

  test.each<unknown>([
    'javascript:alert(1)//app.powerbi.com',
    'http://app.powerbi.com/groups/me',
    'https://app.powerbi.com.evil.example/',
    'https://evil.example/?app.powerbi.com',
    'https://app.powerbi.com@evil.example/',
    'https://user:secret@app.powerbi.com/',
    'data:text/html,x',
    '//app.powerbi.com/',
    '',
    7,
  ])('%p is not stored', async (address) => {
    expect(await parsed({ webUrl: address, embedUrl: address })).toMatchObject({
      webUrl: null,
      embedUrl: '',
    });
  });
});

describe('the lifetime of an embed token (L7)', () => {
  const body = (expiration: string) => ({ token: 'H4sI', tokenId: id, expiration });

  test.each([5, 60])('is at most the %i minutes requested', async (lifetimeMinutes) => {
    const { powerBi, fault } = await fixtureOf();
    await fault({ path: 'GenerateToken', status: 200, body: body('9999-12-31T23:59:59Z') });
    const issued = await powerBi.generateToken({ ...revenue, lifetimeMinutes });
    expect(issued.expiresIn).toBeLessThanOrEqual(lifetimeMinutes * 60);
    expect(issued.expiresIn).toBeGreaterThan(lifetimeMinutes * 60 - 120);
    expect(issued.expiresAt.getTime()).toBeLessThan(Date.now() + (lifetimeMinutes + 1) * 60_000);
  });

  test('is the one that Power BI returns if that is shorter', async () => {
    const { powerBi, fault } = await fixtureOf({ config: { minimumTokenMinutes: 1 } });
    const soon = new Date(Date.now() + 600_000).toISOString();
    await fault({ path: 'GenerateToken', status: 200, body: body(soon) });
    const issued = await powerBi.generateToken({ ...revenue, lifetimeMinutes: 60 });
    expect(issued.expiresAt.toISOString()).toBe(soon);
  });
});
