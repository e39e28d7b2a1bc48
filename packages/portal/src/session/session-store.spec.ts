import { beforeEach, describe, expect, test } from '@jest/globals';
import { ProblemError, unreachable } from '../api/problem.js';
import { type TabMessage, SessionStore } from './session-store.js';

const tokenOf = (sub: string, number: number): string =>
  ['head', Buffer.from(JSON.stringify({ sub, number })).toString('base64url'), 'signature'].join('.');

const jsonResponse = (status: number, body?: object): Response =>
  new Response(body === undefined ? null : JSON.stringify(body), { status });
const token = (sub: string, number = 1): Response =>
  jsonResponse(200, { access_token: tokenOf(sub, number), expires_in: 3600, token_type: 'Bearer' });
const spent = (): Response =>
  jsonResponse(401, { code: 'invalid_refresh_token', status: 401, detail: 'Sign in again.' });

interface PendingRequest {
  path: string;
  respond: (response: Response) => void;
  fail: (error: ProblemError) => void;
}

/** A service whose responses the test sends, and the lock and the channel that tabs share. */
class Environment {
  now = 0;
  requests: PendingRequest[] = [];
  private last: Promise<unknown> = Promise.resolve();
  private readonly listeners: ((message: TabMessage) => void)[] = [];

  tab(): SessionStore {
    let own: (message: TabMessage) => void;
    return new SessionStore({
      post: (path) =>
        new Promise((respond, fail) => {
          this.requests.push({ path, respond, fail });
        }),
      exclusive: (work) => {
        const result = this.last.then(work, work);
        this.last = result;
        return result;
      },
      broadcast: (message) => this.listeners.filter((each) => each !== own).forEach((each) => each(message)),
      onMessage: (listener) => {
        own = listener;
        this.listeners.push(listener);
      },
      now: () => this.now,
    });
  }

  /** The next request without a response. */
  async next(path: string): Promise<PendingRequest> {
    for (let look = 0; look < 20 && this.requests.length === 0; look += 1) await Promise.resolve();
    const pending = this.requests.shift();
    expect(pending?.path).toBe(path);
    return pending as PendingRequest;
  }
}

const password = { email: 'ada@vitrine.example', password: 'x' };
let environment: Environment;
let session: SessionStore;

beforeEach(() => {
  environment = new Environment();
  session = environment.tab();
});

async function signIn(as: string, tab = session): Promise<void> {
  const done = tab.signIn(password);
  (await environment.next('login/session')).respond(token(as));
  await done;
}

describe('renewing', () => {
  test('the cookie signs in, and the access token is used until a minute before it expires', async () => {
    const renewed = session.renew();
    (await environment.next('login/refresh')).respond(token('ada'));
    expect(await renewed).toBe(tokenOf('ada', 1));
    expect(session).toMatchObject({ state: 'signed_in', person: 'ada' });
    environment.now = 3_539_000;
    expect(await session.accessToken()).toBe(tokenOf('ada', 1));
    environment.now = 3_541_000;
    const later = session.accessToken();
    (await environment.next('login/refresh')).respond(token('ada', 2));
    expect(await later).toBe(tokenOf('ada', 2));
  });

  test('concurrent callers share one request', async () => {
    const all = Promise.all([session.accessToken(), session.renew(), session.accessToken()]);
    (await environment.next('login/refresh')).respond(token('ada'));
    expect(new Set(await all).size).toBe(1);
    expect(environment.requests).toEqual([]);
  });

  test('a caller whose older token was rejected gets the current token', async () => {
    await signIn('ada');
    expect(await session.replacementFor('an older one')).toBe(tokenOf('ada', 1));
    expect(environment.requests).toEqual([]);
    const renewed = session.replacementFor(tokenOf('ada', 1));
    (await environment.next('login/refresh')).respond(token('ada', 2));
    expect(await renewed).toBe(tokenOf('ada', 2));
  });

  test.each([
    ['without a cookie', jsonResponse(204)],
    ['with an invalid one', spent()],
  ])('%s the state is signed out, and no session is reported as ended', async (_, response) => {
    const renewed = session.renew();
    (await environment.next('login/refresh')).respond(response);
    expect(await renewed).toBeUndefined();
    expect(session).toMatchObject({ state: 'signed_out', ended: undefined });
    expect(await session.accessToken()).toBeUndefined();
  });

  test('a network failure at the start leaves the state open, and the next attempt can succeed', async () => {
    const renewed = session.renew();
    (await environment.next('login/refresh')).fail(unreachable());
    (await environment.next('login/refresh')).fail(unreachable());
    await expect(renewed).rejects.toMatchObject({ code: 'unreachable' });
    expect(session).toMatchObject({ state: 'unreachable', problem: { code: 'unreachable' } });
    const again = session.accessToken();
    (await environment.next('login/refresh')).respond(token('ada'));
    await again;
    expect(session).toMatchObject({ state: 'signed_in', problem: undefined });
  });

  test('a renewal whose response is lost is repeated at once', async () => {
    const renewed = session.renew();
    (await environment.next('login/refresh')).fail(unreachable());
    (await environment.next('login/refresh')).respond(token('ada'));
    await renewed;
    expect(session).toMatchObject({ state: 'signed_in', problem: undefined });
  });

  test('a 503 later leaves the session signed in', async () => {
    await signIn('ada');
    const renewed = session.renew();
    (await environment.next('login/refresh')).respond(jsonResponse(503, { code: 'service_unavailable' }));
    await expect(renewed).rejects.toMatchObject({ code: 'unexpected_response' });
    expect(session.state).toBe('signed_in');
  });

  test.each([
    ['an HTML page of a proxy', new Response('<html>')],
    ['a 401 page of a proxy', new Response('<html>', { status: 401 })],
  ])('%s neither renews nor ends the session', async (_what, response) => {
    await signIn('ada');
    const renewed = session.renew();
    (await environment.next('login/refresh')).respond(response);
    await expect(renewed).rejects.toMatchObject({ code: 'unexpected_response' });
    expect(session.state).toBe('signed_in');
  });
});

describe('ending a session', () => {
  test('an invalid refresh cookie is reported as an ended session', async () => {
    await signIn('ada');
    const renewed = session.renew();
    (await environment.next('login/refresh')).respond(spent());
    await renewed;
    expect(session).toMatchObject({ state: 'signed_out', ended: 'ended', person: undefined });
  });

  test('the rejection of a replaced token does not end the session', async () => {
    await signIn('ada');
    session.refused('an older one');
    expect(session.state).toBe('signed_in');
    session.refused(tokenOf('ada', 1));
    expect(session).toMatchObject({ state: 'signed_out', ended: 'ended' });
  });

  test('a sign-out waits for a pending renewal and takes precedence over it', async () => {
    await signIn('ada');
    const renewed = session.renew();
    const refresh = await environment.next('login/refresh');
    const out = session.signOut();
    expect(environment.requests).toEqual([]);
    refresh.respond(token('ada', 2));
    await renewed;
    (await environment.next('logout')).respond(jsonResponse(204));
    await out;
    expect(session).toMatchObject({ state: 'signed_out', ended: 'signed_out' });
  });

  test('a renewal that waits for a sign-out is not sent', async () => {
    await signIn('ada');
    const out = session.signOut();
    const renewed = session.renew();
    (await environment.next('logout')).respond(jsonResponse(204));
    await out;
    expect(await renewed).toBeUndefined();
    expect(environment.requests).toEqual([]);
  });

  test('after a sign-out nothing is renewed, also for a request that the service then rejects', async () => {
    await signIn('ada');
    const out = session.signOut();
    (await environment.next('logout')).respond(jsonResponse(204));
    await out;
    expect(await session.replacementFor(tokenOf('ada', 1))).toBeUndefined();
    expect(environment.requests).toEqual([]);
  });

  test('a sign-out that does not reach the service leaves the session signed in', async () => {
    await signIn('ada');
    const out = session.signOut();
    (await environment.next('logout')).fail(unreachable());
    await expect(out).rejects.toMatchObject({ code: 'unreachable' });
    expect(session.state).toBe('signed_in');
  });
});

describe('signing in', () => {
  test('waits for a pending renewal, whose result does not replace the new session', async () => {
    const renewed = session.renew();
    const refresh = await environment.next('login/refresh');
    const signing = session.signIn(password);
    refresh.respond(spent());
    await renewed;
    (await environment.next('login/session')).respond(token('ben'));
    await signing;
    expect(session).toMatchObject({ state: 'signed_in', person: 'ben', ended: undefined });
  });

  test('resolves a renewal that waits for it', async () => {
    const signing = session.signIn(password);
    const renewed = session.renew();
    (await environment.next('login/session')).respond(token('ada'));
    await signing;
    expect(await renewed).toBe(tokenOf('ada', 1));
    expect(environment.requests).toEqual([]);
  });

  test('a rejected sign-in changes nothing and throws', async () => {
    const signing = session.signIn(password);
    const refusal = { code: 'invalid_credentials', status: 401, detail: 'Wrong.' };
    (await environment.next('login/session')).respond(jsonResponse(401, refusal));
    await expect(signing).rejects.toMatchObject({ code: 'invalid_credentials' });
    expect(session.state).toBe('unknown');
  });
});

describe('another tab', () => {
  test('a sign-out there signs out this tab', async () => {
    const other = environment.tab();
    await signIn('ada');
    (await environment.next('login/refresh')).respond(token('ada', 2));
    const out = other.signOut();
    (await environment.next('logout')).respond(jsonResponse(204));
    await out;
    expect(session).toMatchObject({ state: 'signed_out', ended: 'signed_out_elsewhere' });
  });

  test('a sign-in there as another user switches this tab to that user', async () => {
    await signIn('ada');
    let changes = 0;
    session.subscribe(() => (changes += 1));
    await signIn('ben', environment.tab());
    const token2 = session.accessToken();
    (await environment.next('login/refresh')).respond(token('ben', 2));
    expect(await token2).toBe(tokenOf('ben', 2));
    expect(session.person).toBe('ben');
    expect(changes).toBe(1);
  });
});
