import { describe, expect, test } from '@jest/globals';
import { tokenResponse, problemResponse, createHarness } from './harness.js';

const bearers = (calls: { init: RequestInit }[]) =>
  calls.map(({ init }) => new Headers(init.headers).get('authorization'));

describe('a request for an embed token', () => {
  test("goes to the report's route of the service with the access token", async () => {
    const { calls, subscribe } = createHarness([tokenResponse()], {
      baseUrl: 'https://vitrine.example/base/',
      accessToken: () => 'ada',
    });
    await subscribe({ reportId: '../x' });
    expect(calls[0]?.url).toBe('https://vitrine.example/base/api/reports/..%2Fx/embed-token');
    expect(calls[0]?.init.method).toBe('POST');
    expect(bearers(calls)).toEqual(['Bearer ada']);
  });

  test("is sent without an access token when the page's fetch authenticates it", async () => {
    const { calls, subscribe } = createHarness([tokenResponse()]);
    expect((await subscribe()).received.events).toEqual(['token']);
    expect(bearers(calls)).toEqual([null]);
  });

  test('asks for the access token each time', async () => {
    let count = 0;
    const accessToken = (): Promise<string> => Promise.resolve(`token ${(count += 1)}`);
    const { environment, calls, subscribe } = createHarness([tokenResponse({ refresh_in: 100 })], {
      accessToken,
    });
    await subscribe();
    await environment.advance(101);
    expect(bearers(calls)).toEqual(['Bearer token 1', 'Bearer token 2']);
  });

  test('is repeated once with another access token after a 401', async () => {
    const accessToken = (refused: boolean) => (refused ? 'new' : 'old');
    const { calls, subscribe } = createHarness(
      [problemResponse(401, 'authentication_required'), tokenResponse()],
      { accessToken },
    );
    expect((await subscribe()).received.events).toEqual(['token']);
    expect(bearers(calls)).toEqual(['Bearer old', 'Bearer new']);
  });

  test('is not repeated with the same access token', async () => {
    const { calls, subscribe } = createHarness([problemResponse(401, 'authentication_required')], {
      accessToken: () => 'old',
    });
    const { received } = await subscribe();
    expect(received.problems[0]?.kind).toBe('signed_out');
    expect(calls).toHaveLength(1);
  });

  test.each([
    ['signed_out', 'signed_out', (): null => null],
    ['unavailable', 'unreachable', (): Promise<string> => Promise.reject(new Error('No session'))],
  ] as const)('is not sent when no access token is available: %s', async (kind, code, accessToken) => {
    const { calls, subscribe } = createHarness([tokenResponse()], { accessToken });
    const { received } = await subscribe();
    expect(received.problems[0]).toMatchObject({ kind, code });
    expect(calls).toEqual([]);
  });
});

test("that fails reports the request id of the service's log", async () => {
  const { received } = await createHarness([
    problemResponse(404, 'report_not_found', { 'x-request-id': 'r-1' }),
  ]).subscribe();
  expect(received.problems[0]?.requestId).toBe('r-1');
});
