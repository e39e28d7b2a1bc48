import { describe, expect, test } from '@jest/globals';
import { type HeldToken, TokenReuse } from './token-reuse.js';

const held = (name: string): HeldToken => ({
  token: { token: name, tokenId: name, expiresAt: new Date(), expiresIn: 3600 },
  grantId: name,
  at: new Date(),
  atMonotonic: 0,
  userId: 'ada',
  reportId: 'revenue',
  workspaceId: 'sales',
});

const never = new AbortController().signal;

/** A call that ends when the test says so. */
function call() {
  const { promise, resolve, reject } = Promise.withResolvers<HeldToken>();
  const signals: AbortSignal[] = [];
  const mint = (signal: AbortSignal) => {
    signals.push(signal);
    return promise;
  };
  return { mint, resolve, reject, signals };
}

describe('TokenReuse', () => {
  test('concurrent callers share one call, and its token is kept', async () => {
    const reuse = new TokenReuse<HeldToken>();
    const { mint, resolve, signals } = call();
    const all = Promise.all([1, 2, 3].map(() => reuse.share('key', never, mint)));
    resolve(held('a'));
    expect((await all).map(({ grantId }) => grantId)).toEqual(['a', 'a', 'a']);
    expect(signals).toHaveLength(1);
    expect(reuse.find('key')?.grantId).toBe('a');
    expect(reuse.find('other')).toBeUndefined();
  });

  test('OUT-15 a caller that aborts does not fail the others, and the call continues', async () => {
    const reuse = new TokenReuse<HeldToken>();
    const { mint, resolve, signals } = call();
    const leaving = new AbortController();
    const left = reuse.share('key', leaving.signal, mint);
    const stays = reuse.share('key', never, mint);
    leaving.abort(new Error('gone'));
    await expect(left).rejects.toThrow('gone');
    expect(signals[0]!.aborted).toBe(false);
    resolve(held('a'));
    expect((await stays).grantId).toBe('a');
  });

  test('OUT-15 the call is aborted with its last caller, and the next caller starts a new one', async () => {
    const reuse = new TokenReuse<HeldToken>();
    const first = call();
    const leaving = [new AbortController(), new AbortController()];
    const left = leaving.map(({ signal }) => reuse.share('key', signal, first.mint));
    for (const each of leaving) each.abort(new Error('gone'));
    await Promise.allSettled(left);
    expect(first.signals[0]!.aborted).toBe(true);
    const second = call();
    const shared = reuse.share('key', never, second.mint);
    second.resolve(held('b'));
    expect((await shared).grantId).toBe('b');
    first.reject(new Error('aborted'));
    expect(reuse.find('key')?.grantId).toBe('b');
  });

  test('a failure is passed to all callers and not kept', async () => {
    const reuse = new TokenReuse<HeldToken>();
    const { mint, reject } = call();
    const all = [reuse.share('key', never, mint), reuse.share('key', never, mint)];
    reject(new Error('no'));
    for (const each of all) await expect(each).rejects.toThrow('no');
    expect(reuse.find('key')).toBeUndefined();
  });

  test('removed tokens are not found', async () => {
    const reuse = new TokenReuse<HeldToken>();
    const { mint, resolve } = call();
    resolve(held('a'));
    await reuse.share('key', never, mint);
    reuse.forget(({ reportId }) => reportId === 'pipeline');
    expect(reuse.find('key')).toBeDefined();
    reuse.forget(({ reportId }) => reportId === 'revenue');
    expect(reuse.find('key')).toBeUndefined();
  });
});
