import { describe, expect, test } from '@jest/globals';
import type { EmbedToken } from '../src/types.js';
import { FakeReport } from './fake-report.js';
import { settle } from './fake-environment.js';
import { networkFailure, tokenResponse, createHarness } from './harness.js';

async function embedded(life: Partial<EmbedToken> = { refresh_in: 100 }) {
  const staged = createHarness([tokenResponse(life)]);
  const { subscription, received } = await staged.subscribe();
  const report = new FakeReport((await subscription.token()).token);
  const detach = subscription.attach(report);
  await settle();
  return { ...staged, subscription, received, report, detach };
}

describe('an attached powerbi-client report', () => {
  test('receives each new token without being reloaded', async () => {
    const { environment, received, report } = await embedded();
    expect(report.receivedTokens).toEqual([]);
    await environment.advance(201);
    expect(report.receivedTokens).toEqual(received.tokens.slice(1).map(({ token }) => token));
    expect(report.receivedTokens).toHaveLength(2);
    expect(report.reloads).toBe(0);
  });

  test('receives a token that was renewed while it was being embedded', async () => {
    const { subscription, received } = await embedded();
    const report = new FakeReport('one of before');
    subscription.attach(report);
    await settle();
    expect(report.receivedTokens).toEqual([received.tokens[0]?.token]);
    report.config.accessToken = 'lost: the frame did not listen yet';
    await report.raise('loaded');
    expect(report.receivedTokens).toHaveLength(2);
  });

  test('gets a new token immediately and is reloaded when its token has expired', async () => {
    const { environment, calls, report } = await embedded();
    await environment.advance(60);
    await report.raise('error', 'TokenExpired');
    expect(calls).toHaveLength(2);
    expect(report.receivedTokens).toHaveLength(1);
    expect(report.reloads).toBe(1);
    await environment.advance(101);
    expect([report.receivedTokens.length, report.reloads]).toEqual([2, 1]);
  });

  test('is reloaded with the pending token when its token expires during a renewal', async () => {
    const { environment, calls, report } = await embedded();
    await environment.advance(101);
    await report.raise('error', 'TokenExpired');
    expect([calls.length, report.reloads]).toEqual([2, 1]);
  });

  test('is reloaded when a renewal succeeds after the token has expired', async () => {
    const { environment, report, respondWith } = await embedded({ expires_in: 9, refresh_in: 6 });
    respondWith(networkFailure);
    await environment.advance(9);
    await report.raise('error', 'TokenExpired');
    await environment.advance(60);
    respondWith(tokenResponse());
    await environment.wake();
    expect([report.receivedTokens.length, report.reloads]).toEqual([1, 1]);
  });

  test('that rejects every token does not cause endless requests', async () => {
    const { environment, calls, report } = await embedded();
    await environment.advance(60);
    for (let times = 0; times < 5; times += 1) await report.raise('error', 'TokenExpired');
    expect(calls).toHaveLength(2);
    expect(report.reloads).toBe(2);
  });

  test('keeps its token on other errors', async () => {
    const { environment, calls, report } = await embedded();
    await environment.advance(60);
    await report.raise('error', 'LoadReportFailed');
    report.element.dispatchEvent(new Event('error'));
    await settle();
    expect([calls.length, report.reloads]).toEqual([1, 0]);
  });

  test('that was removed does not prevent the others from receiving tokens', async () => {
    const { environment, subscription, received, report } = await embedded();
    const other = new FakeReport(received.tokens[0]!.token);
    subscription.attach(other);
    report.isAttached = false;
    await environment.advance(101);
    expect(other.receivedTokens).toHaveLength(1);
  });

  test('receives a token once when it is attached twice or embedded again in the same element', async () => {
    const { environment, subscription, received, report, detach } = await embedded();
    subscription.attach(report);
    const replacement = Object.assign(new FakeReport(received.tokens[0]!.token), { element: report.element });
    subscription.attach(replacement);
    detach();
    await environment.advance(101);
    expect([report.receivedTokens.length, replacement.receivedTokens.length]).toEqual([0, 1]);
    await replacement.raise('error', 'TokenExpired');
    expect([report.reloads, replacement.reloads]).toEqual([0, 1]);
  });

  test('is left unchanged after it is detached or the subscription is stopped', async () => {
    const { environment, subscription, received, report, detach } = await embedded();
    const other = new FakeReport(received.tokens[0]!.token);
    subscription.attach(other);
    detach();
    await environment.advance(101);
    subscription.stop();
    await other.raise('error', 'TokenExpired');
    await report.raise('error', 'TokenExpired');
    expect([report.receivedTokens.length, other.receivedTokens.length, other.reloads]).toEqual([0, 1, 0]);
  });

  test('that is attached after the end gets no token, also when the next report is embedded in its element', async () => {
    const { subscription, report } = await embedded();
    subscription.stop();
    report.config.accessToken = 'of the next report';
    subscription.attach(report)();
    subscription.attach(report);
    await report.raise('loaded');
    await report.raise('error', 'TokenExpired');
    expect([report.receivedTokens, report.reloads]).toEqual([[], 0]);
  });
});
