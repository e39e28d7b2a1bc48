import { beforeEach, describe, expect, test } from '@jest/globals';
import { ProblemError, unreachable } from '../api/problem.js';
import { type TabMessage, TabSession } from './tab-session.js';

const tokenOf = (sub: string, number: number): string =>
  ['head', Buffer.from(JSON.stringify({ sub, number })).toString('base64url'), 'signature'].join('.');

const answer = (status: number, body?: object): Response =>
  new Response(body === undefined ? null : JSON.stringify(body), { status });
const token = (sub: string, number = 1): Response =>
  answer(200, { access_token: tokenOf(sub, number), expires_in: 3600, token_type: 'Bearer' });
const spent = (): Response =>
  answer(401, { code: 'invalid_refresh_token', status: 401, detail: 'Sign in again.' });

interface Asked {
  path: string;
  answer: (response: Response) => void;
  fail: (error: ProblemError) => void;
}

/** A service that answers when the test says so, and the lock and the channel that tabs share. */
class Surroundings {
  now = 0;
  asked: Asked[] = [];
  private last: Promise<unknown> = Promise.resolve();
  private readonly ears: ((message: TabMessage) => void)[] = [];

  tab(): TabSession {
    let ear: (message: TabMessage) => void;
    return new TabSession({
      post: (path) =>
        new Promise((answer, fail) => {
          this.asked.push({ path, answer, fail });
        }),
      alone: (work) => {
        const result = this.last.then(work, work);
        this.last = result;
        return result;
      },
      tell: (message) => this.ears.filter((each) => each !== ear).forEach((each) => each(message)),
      hear: (listener) => {
        ear = listener;
        this.ears.push(listener);
      },
      now: () => this.now,
    });
  }

  /** The next request that was sent and is not answered. */
  async next(path: string): Promise<Asked> {
    for (let look = 0; look < 20 && this.asked.length === 0; look += 1) await Promise.resolve();
    const asked = this.asked.shift();
    expect(asked?.path).toBe(path);
    return asked as Asked;
  }
}

const password = { email: 'ada@vitrine.example', password: 'x' };
let around: Surroundings;
let session: TabSession;

beforeEach(() => {
  around = new Surroundings();
  session = around.tab();
});

async function signIn(as: string, tab = session): Promise<void> {
  const done = tab.signIn(password);
  (await around.next('login/session')).answer(token(as));
  await done;
}

describe('renewing', () => {
  test('the cookie signs in, and the token is good until a minute before its end', async () => {
    const renewed = session.renew();
    (await around.next('login/refresh')).answer(token('ada'));
    expect(await renewed).toBe(tokenOf('ada', 1));
    expect(session).toMatchObject({ state: 'signed_in', person: 'ada' });
    around.now = 3_539_000;
    expect(await session.accessToken()).toBe(tokenOf('ada', 1));
    around.now = 3_541_000;
    const later = session.accessToken();
    (await around.next('login/refresh')).answer(token('ada', 2));
    expect(await later).toBe(tokenOf('ada', 2));
  });

  test('however many ask, one request is sent', async () => {
    const all = Promise.all([session.accessToken(), session.renew(), session.accessToken()]);
    (await around.next('login/refresh')).answer(token('ada'));
    expect(new Set(await all).size).toBe(1);
    expect(around.asked).toEqual([]);
  });

  test('whoever was refused with an older token gets the one that is there by now', async () => {
    await signIn('ada');
    expect(await session.instead('an older one')).toBe(tokenOf('ada', 1));
    expect(around.asked).toEqual([]);
    const renewed = session.instead(tokenOf('ada', 1));
    (await around.next('login/refresh')).answer(token('ada', 2));
    expect(await renewed).toBe(tokenOf('ada', 2));
  });

  test('without a cookie nobody is signed in, and nothing has ended', async () => {
    const renewed = session.renew();
    (await around.next('login/refresh')).answer(spent());
    expect(await renewed).toBeUndefined();
    expect(session).toMatchObject({ state: 'signed_out', ended: undefined });
    expect(await session.accessToken()).toBeUndefined();
  });

  test('no answer at the start tells nothing, and the next try may', async () => {
    const renewed = session.renew();
    (await around.next('login/refresh')).fail(unreachable());
    await expect(renewed).rejects.toMatchObject({ code: 'unreachable' });
    expect(session).toMatchObject({ state: 'unreachable', problem: { code: 'unreachable' } });
    const again = session.accessToken();
    (await around.next('login/refresh')).answer(token('ada'));
    await again;
    expect(session).toMatchObject({ state: 'signed_in', problem: undefined });
  });

  test('no answer later leaves the session as it is', async () => {
    await signIn('ada');
    const renewed = session.renew();
    (await around.next('login/refresh')).answer(answer(503, { code: 'service_unavailable' }));
    await expect(renewed).rejects.toMatchObject({ code: 'unexpected_answer' });
    expect(session.state).toBe('signed_in');
  });

  test.each([
    ['a page of something in between', new Response('<html>')],
    ['its refusal', new Response('<html>', { status: 401 })],
  ])('%s is neither a token nor an end', async (_what, response) => {
    await signIn('ada');
    const renewed = session.renew();
    (await around.next('login/refresh')).answer(response);
    await expect(renewed).rejects.toMatchObject({ code: 'unexpected_answer' });
    expect(session.state).toBe('signed_in');
  });
});

describe('ending', () => {
  test('by the service: the person is told so', async () => {
    await signIn('ada');
    const renewed = session.renew();
    (await around.next('login/refresh')).answer(spent());
    await renewed;
    expect(session).toMatchObject({ state: 'signed_out', ended: 'ended', person: undefined });
  });

  test('a token that was replaced ends nothing when it is refused', async () => {
    await signIn('ada');
    session.refused('an older one');
    expect(session.state).toBe('signed_in');
    session.refused(tokenOf('ada', 1));
    expect(session).toMatchObject({ state: 'signed_out', ended: 'ended' });
  });

  test('a sign-out waits for the renewal before it, and is the last word', async () => {
    await signIn('ada');
    const renewed = session.renew();
    const refresh = await around.next('login/refresh');
    const out = session.signOut();
    expect(around.asked).toEqual([]);
    refresh.answer(token('ada', 2));
    await renewed;
    (await around.next('logout')).answer(answer(204));
    await out;
    expect(session).toMatchObject({ state: 'signed_out', ended: 'signed_out' });
  });

  test('a renewal that waited for a sign-out is not sent', async () => {
    await signIn('ada');
    const out = session.signOut();
    const renewed = session.renew();
    (await around.next('logout')).answer(answer(204));
    await out;
    expect(await renewed).toBeUndefined();
    expect(around.asked).toEqual([]);
  });

  test('a sign-out that did not reach the service is none', async () => {
    await signIn('ada');
    const out = session.signOut();
    (await around.next('logout')).fail(unreachable());
    await expect(out).rejects.toMatchObject({ code: 'unreachable' });
    expect(session.state).toBe('signed_in');
  });
});

describe('signing in', () => {
  test('waits for an older renewal, whose answer does not come out on top', async () => {
    const renewed = session.renew();
    const refresh = await around.next('login/refresh');
    const signing = session.signIn(password);
    refresh.answer(spent());
    await renewed;
    (await around.next('login/session')).answer(token('ben'));
    await signing;
    expect(session).toMatchObject({ state: 'signed_in', person: 'ben', ended: undefined });
  });

  test('a renewal that waited for it is answered by it', async () => {
    const signing = session.signIn(password);
    const renewed = session.renew();
    (await around.next('login/session')).answer(token('ada'));
    await signing;
    expect(await renewed).toBe(tokenOf('ada', 1));
    expect(around.asked).toEqual([]);
  });

  test('a refusal changes nothing and is thrown', async () => {
    const signing = session.signIn(password);
    const refusal = { code: 'invalid_credentials', status: 401, detail: 'Wrong.' };
    (await around.next('login/session')).answer(answer(401, refusal));
    await expect(signing).rejects.toMatchObject({ code: 'invalid_credentials' });
    expect(session.state).toBe('unknown');
  });
});

describe('another tab', () => {
  test('signs this one out', async () => {
    const other = around.tab();
    await signIn('ada');
    (await around.next('login/refresh')).answer(token('ada', 2));
    const out = other.signOut();
    (await around.next('logout')).answer(answer(204));
    await out;
    expect(session).toMatchObject({ state: 'signed_out', ended: 'signed_out_elsewhere' });
  });

  test('signs somebody else in: this one becomes that person at once', async () => {
    await signIn('ada');
    let changes = 0;
    session.subscribe(() => (changes += 1));
    await signIn('ben', around.tab());
    const token2 = session.accessToken();
    (await around.next('login/refresh')).answer(token('ben', 2));
    expect(await token2).toBe(tokenOf('ben', 2));
    expect(session.person).toBe('ben');
    expect(changes).toBe(1);
  });
});
