import { describe, expect, test } from '@jest/globals';
import { gives, refuses, stage } from './stage.js';

const bearers = (calls: { init: RequestInit }[]) =>
  calls.map(({ init }) => new Headers(init.headers).get('authorization'));

describe('the question', () => {
  test('goes to the report of the service, as who is signed in', async () => {
    const { calls, keep } = stage([gives()], {
      baseUrl: 'https://vitrine.example/base/',
      accessToken: () => 'ada',
    });
    await keep({ reportId: '../x' });
    expect(calls[0]?.url).toBe('https://vitrine.example/base/api/reports/..%2Fx/embed-token');
    expect(calls[0]?.init.method).toBe('POST');
    expect(bearers(calls)).toEqual(['Bearer ada']);
  });

  test('needs no access token where a fetch of the page brings along who asks', async () => {
    const { calls, keep } = stage([gives()]);
    expect((await keep()).heard.events).toEqual(['token']);
    expect(bearers(calls)).toEqual([null]);
  });

  test('gets the access token anew each time', async () => {
    let count = 0;
    const accessToken = (): Promise<string> => Promise.resolve(`token ${(count += 1)}`);
    const { world, calls, keep } = stage([gives({ refresh_in: 100 })], { accessToken });
    await keep();
    await world.pass(101);
    expect(bearers(calls)).toEqual(['Bearer token 1', 'Bearer token 2']);
  });

  test('is asked once more with another access token when the first was refused', async () => {
    const accessToken = (refused: boolean) => (refused ? 'new' : 'old');
    const { calls, keep } = stage([refuses(401, 'authentication_required'), gives()], { accessToken });
    expect((await keep()).heard.events).toEqual(['token']);
    expect(bearers(calls)).toEqual(['Bearer old', 'Bearer new']);
  });

  test('is not asked again with the same access token', async () => {
    const { calls, keep } = stage([refuses(401, 'authentication_required')], { accessToken: () => 'old' });
    const { heard } = await keep();
    expect(heard.problems[0]?.kind).toBe('signed_out');
    expect(calls).toHaveLength(1);
  });

  test.each([
    ['signed_out', 'signed_out', (): null => null],
    ['unavailable', 'unreachable', (): Promise<string> => Promise.reject(new Error('No session'))],
  ] as const)('is not asked without one: %s', async (kind, code, accessToken) => {
    const { calls, keep } = stage([gives()], { accessToken });
    const { heard } = await keep();
    expect(heard.problems[0]).toMatchObject({ kind, code });
    expect(calls).toEqual([]);
  });
});

test('a problem names the request for the log of the service', async () => {
  const { heard } = await stage([refuses(404, 'report_not_found', { 'x-request-id': 'r-1' })]).keep();
  expect(heard.problems[0]?.requestId).toBe('r-1');
});
