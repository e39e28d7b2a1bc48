import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { EmulatorClient, type EmbedToken, type Report } from '../support/emulator-client.js';

interface Opened {
  rows: { person: string }[];
}

let emulator: EmulatorClient;

beforeAll(async () => {
  emulator = await EmulatorClient.start();
});
beforeEach(() => emulator.reset());
afterAll(() => emulator.close());

async function tokenFor(report: Report, identity?: object, lifetimeInMinutes?: number): Promise<string> {
  const { id, datasetId } = report;
  const identities = identity && [{ ...identity, datasets: [datasetId] }];
  const request = { reports: [{ id }], datasets: [{ id: datasetId }], identities, lifetimeInMinutes };
  return (await emulator.post<EmbedToken>('/GenerateToken', request)).body.token;
}

function open(accessToken: unknown, id: unknown, more: object = {}) {
  return emulator.send<Opened>('POST', '/reportEmbed/open', { accessToken, id, tokenType: 1, ...more });
}

describe('GET /reportEmbed and /rdlEmbed', () => {
  test.each(['/reportEmbed', '/rdlEmbed'])('%s can be framed by any page', async (path) => {
    const { status, headers, text } = await emulator.send('GET', `${path}?reportId=x`);
    expect(status).toBe(200);
    expect(headers.get('x-frame-options')).toBeNull();
    expect(headers.get('content-security-policy')).toBeNull();
    expect(text.indexOf("addEventListener('message'")).toBeGreaterThan(0);
    expect(text.indexOf("addEventListener('message'")).toBeLessThan(text.indexOf('src='));
  });
});

describe('the errors of the page', () => {
  let report: Report;
  let token: string;

  beforeEach(async () => {
    report = await emulator.report('Sales', 'Pipeline');
    token = await tokenFor(report);
  });

  test.each<[string, () => ReturnType<typeof open>, object]>([
    ['no token', () => open('', report.id), { message: 'Invalid parameters' }],
    ['no id', () => open(token, undefined), { detailedMessage: 'powerbiToken parameter not specified' }],
    ['an invalid id', () => open(token, 'x'), { message: 'LoadReportFailed', errorCode: '500' }],
    [
      'an unknown id',
      () => open(token, crypto.randomUUID()),
      { message: 'LoadReportFailed', errorCode: '404' },
    ],
    [
      'another workspace',
      () => open(token, report.id, { groupId: crypto.randomUUID() }),
      { errorCode: '401' },
    ],
    ['an invalid token', () => open(`${token}x`.replace('H4sI', 'H4sJ'), report.id), { errorCode: '403' }],
    ['the wrong type', () => open(token, report.id, { tokenType: 0 }), { message: 'LoadReportFailed' }],
  ])('%s', async (_what, ask, error) => {
    expect(await ask()).toMatchObject({ status: 400, body: error });
  });

  test('a report that is not in the token', async () => {
    const other = await emulator.report('Sales', 'Product mix');
    const error = { message: 'LoadReportFailed', detailedMessage: 'Get report failed', errorCode: '403' };
    expect((await open(token, other.id)).body).toMatchObject(error);
  });

  test('an expired token', async () => {
    await emulator.advance(3700);
    expect((await open(token, report.id)).body).toMatchObject({ message: 'TokenExpired', errorCode: '403' });
  });

  test('a paused capacity', async () => {
    await emulator.control('POST', '/capacities', { state: 'Suspended' });
    expect((await open(token, report.id)).body).toMatchObject({ message: 'OpenConnectionError' });
  });

  test('a modified token', async () => {
    const [head, tail] = token.split('.');
    const altered = `${head!.slice(0, 40)}${head![40] === 'A' ? 'B' : 'A'}${head!.slice(41)}.${tail}`;
    expect((await open(altered, report.id)).status).toBe(400);
  });
});

describe('the rows of the demo data', () => {
  const rows = async (reportName: string, identity: object) => {
    const report = await emulator.report('Sales', reportName);
    return (await open(await tokenFor(report, identity), report.id)).body.rows;
  };

  test.each([
    ['admin', 8],
    ['ada', 37],
    ['ben', 27],
    ['eve', 0],
  ])('by representative: %s sees %d', async (name, count) => {
    const seen = await rows('My customers', { username: `${name}@vitrine.example` });
    expect(seen).toHaveLength(count);
    expect(seen.every(({ person }) => person === `${name}@vitrine.example`)).toBe(true);
  });

  test.each([
    ['ada', ['Europe'], 29],
    ['ada', ['Europe', 'Americas'], 37],
    ['ben', ['Manager'], 27],
    ['admin', ['Manager'], 72],
    ['eve', ['Manager'], 0],
  ])('by region: %s as %j sees %d', async (name, roles, count) => {
    expect(await rows('My region', { username: `${name}@vitrine.example`, roles })).toHaveLength(count);
  });

  test('by a role that the model does not have: the first query fails', async () => {
    const report = await emulator.report('Sales', 'My region');
    const token = await tokenFor(report, { username: 'ada@vitrine.example', roles: ['Nowhere'] });
    expect((await open(token, report.id)).body).toMatchObject({ message: 'QueryUserError' });
  });
});
