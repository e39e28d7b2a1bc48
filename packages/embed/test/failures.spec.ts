import { describe, expect, test } from '@jest/globals';
import { settled } from './fake-environment.js';
import { type Answer, cutOff, gives, refuses, stage } from './stage.js';

const html =
  (status: number): Answer =>
  () =>
    new Response('<!doctype html><title>Sign in</title>', {
      status,
      headers: { 'content-type': 'text/html' },
    });
const minute = { expires_in: 60, refresh_in: 40 };

describe('an answer that ends it', () => {
  test.each([
    ['revoked', 403, 'embed_access_revoked'],
    ['revoked', 403, 'access_denied'],
    ['revoked', 404, 'report_not_found'],
    ['revoked', 409, 'power_bi_report_missing'],
    ['failed', 404, 'route_not_found'],
    ['failed', 400, 'invalid_request'],
    ['failed', 409, 'power_bi_identity_required'],
  ] as const)('is told as %s: %i %s', async (kind, status, code) => {
    const { world, calls, keep } = stage([refuses(status, code)]);
    const { kept, heard } = await keep();
    expect(heard.events).toEqual([`${kind} ${code}`]);
    expect(heard.problems[0]).toMatchObject({ kind, code, status, message: `Because of ${code}.` });
    await expect(kept.token()).rejects.toBe(heard.problems[0]);
    expect([world.timers.size, world.wakeUps.size]).toEqual([0, 0]);
    await world.pass(600);
    expect(calls).toHaveLength(1);
  });

  test('is told at the renewal to everybody who keeps the report', async () => {
    const { world, keep } = stage([gives(minute), refuses(403, 'embed_access_revoked')]);
    const both = await Promise.all([keep(), keep()]);
    await world.pass(41);
    for (const { heard } of both) expect(heard.events).toEqual(['token', 'revoked embed_access_revoked']);
  });

  test('is followed by a new beginning for who keeps the report again', async () => {
    const { keep } = stage([refuses(404, 'report_not_found'), gives()]);
    await keep();
    expect((await keep()).heard.events).toEqual(['token']);
  });

  test('is followed by it even from within, and that is shared', async () => {
    const { calls, keep } = stage([refuses(404, 'report_not_found'), gives()]);
    let again: ReturnType<typeof keep> | undefined;
    const onRevoked = (): void => {
      again = keep();
    };
    await keep({ onRevoked });
    expect((await again)?.heard.events).toEqual(['token']);
    await keep();
    expect(calls).toHaveLength(2);
  });
});

describe('an answer that may pass', () => {
  test.each<[string, string, Answer]>([
    ['a full house', 'rate_limited', refuses(429, 'rate_limited')],
    ['Power BI being down', 'power_bi_unavailable', refuses(503, 'power_bi_unavailable')],
    ['a gateway in between', 'invalid_answer', html(502)],
    ['no connection', 'unreachable', cutOff],
    ['nobody signed in', 'authentication_required', refuses(401, 'authentication_required')],
  ])('is told once and tried until it works: %s', async (_what, code, answer) => {
    const { world, keep } = stage([answer, answer, answer, gives()]);
    const { kept, heard } = await keep();
    const first = kept.token();
    expect(heard.events).toEqual([`trouble ${code}`]);
    await world.pass(10);
    expect(heard.events).toEqual([`trouble ${code}`, 'token', 'recovered']);
    expect(await first).toBe(heard.tokens[0]);
  });

  test('is tried ever more seldom, and not by all pages at the same moment', async () => {
    const pauses = async (chance: number) => {
      const { world, keep, answerWith } = stage([]);
      world.chance = chance;
      const at: number[] = [];
      answerWith(() => {
        at.push(Math.round(world.monotonic() / 100) / 10);
        return cutOff();
      });
      const { kept } = await keep();
      await world.pass(200);
      kept.stop();
      return at.slice(1).map((time, index) => Math.round((time - at[index]!) * 10) / 10);
    };
    expect((await pauses(0)).slice(0, 8)).toEqual([1, 1, 2, 4, 8, 16, 30, 30]);
    expect((await pauses(1)).slice(0, 7)).toEqual([1.5, 2, 4, 8, 16, 32, 60]);
  });

  test('is not tried before Retry-After, whoever is in a hurry', async () => {
    const wait = { 'retry-after': '30' };
    const { world, calls, keep } = stage([refuses(503, 'power_bi_throttled', wait), gives()]);
    const { kept } = await keep();
    await world.pass(29);
    await world.wake();
    kept.renew();
    await settled();
    expect(calls).toHaveLength(1);
    await world.pass(2);
    expect(calls).toHaveLength(2);
  });

  test('is tried at once when the page is connected again', async () => {
    const { world, calls, keep } = stage([cutOff]);
    await keep();
    await world.pass(100);
    const before = calls.length;
    await world.pass(2);
    await world.wake();
    expect(calls).toHaveLength(before + 1);
  });

  test('is what no answer becomes after 20 seconds', async () => {
    const { world, calls, keep } = stage([() => new Promise(() => undefined), gives()]);
    const { heard } = await keep();
    await world.pass(22);
    expect(calls[0]?.init.signal?.aborted).toBe(true);
    expect(heard.events).toEqual(['trouble timeout', 'token', 'recovered']);
  });

  test('is told again when it is another', async () => {
    const { world, keep } = stage([cutOff, refuses(429, 'rate_limited'), gives()]);
    const { heard } = await keep();
    await world.pass(10);
    expect(heard.events).toEqual(['trouble unreachable', 'trouble rate_limited', 'token', 'recovered']);
  });
});

describe('the end of a token', () => {
  test('is told once, at its time, when no other came; and the next brings it back', async () => {
    const { world, keep, answerWith } = stage([gives(minute), cutOff]);
    const { kept, heard } = await keep();
    await world.pass(59);
    expect(heard.events).toEqual(['token', 'trouble unreachable']);
    await world.pass(1);
    expect(heard.events).toEqual(['token', 'trouble unreachable', 'expired']);
    await world.pass(300);
    const late = await keep();
    expect(late.heard.events).toEqual(['trouble unreachable', 'expired']);
    answerWith(gives());
    const next = kept.token();
    await world.wake();
    expect(heard.events.slice(3)).toEqual(['token', 'recovered']);
    expect(await next).toBe(heard.tokens[1]);
  });

  test('is told again the next time, and what was tried before is forgotten', async () => {
    const { world, calls, keep, answerWith } = stage([gives(minute), cutOff]);
    const { heard } = await keep();
    await world.pass(300);
    answerWith(gives(minute), cutOff);
    await world.wake();
    await world.pass(40);
    const before = calls.length;
    await world.pass(5);
    expect(calls.length - before).toBe(3);
    await world.pass(60);
    expect(heard.events.filter((event) => event === 'expired')).toHaveLength(2);
  });

  test('is waited for before a failure counts for good: somebody may put it right', async () => {
    const failing = refuses(409, 'power_bi_identity_required');
    const { world, keep, answerWith } = stage([gives(minute), failing]);
    const { heard } = await keep();
    await world.pass(45);
    expect(heard.events).toEqual(['token', 'trouble power_bi_identity_required']);
    answerWith(gives(minute), failing);
    await world.pass(15);
    expect(heard.events.slice(2)).toEqual(['token', 'recovered']);
    await world.pass(120);
    expect(heard.events.at(-1)).toBe('failed power_bi_identity_required');
  });
});

describe('an answer that is not the service', () => {
  test.each([
    [
      'a page',
      html(200),
      /api\/reports\/019a\/embed-token returned an invalid response with status 200.*the content type is text\/html/,
    ],
    [
      'an error page',
      html(404),
      /returned an invalid response with status 404.*the content type is text\/html/,
    ],
    ['a list', () => Response.json([]), /: token is missing/],
    ['another object', () => Response.json({ ok: true }), /: token is missing/],
    ['a token without its time', gives({ refresh_in: 'soon' }), /refresh_in is missing/],
    ['a token of the past', gives({ expires_in: -5 }), /expires_in is missing/],
  ] as [string, Answer, RegExp][])('fails clearly: %s', async (_what, answer, message) => {
    const { heard } = await stage([answer]).keep();
    expect(heard.events).toEqual(['failed invalid_answer']);
    expect(heard.problems[0]?.message).toMatch(message);
  });

  test('is no answer with fields that nobody knows yet', async () => {
    const { heard } = await stage([gives({ watermark: { text: 'Draft' } })]).keep();
    expect(heard.tokens[0]).toMatchObject({ watermark: { text: 'Draft' } });
  });
});
