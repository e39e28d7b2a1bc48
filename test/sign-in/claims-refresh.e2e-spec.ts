import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { demoTenant } from '@vitrine/power-bi-emulator';
import { IdentityProviderService } from '../../src/auth/oidc/identity-provider.service.js';
import { IdpAccessService } from '../../src/auth/oidc/idp-access.service.js';
import { SignInRefused } from '../../src/auth/oidc/provider.errors.js';
import { SessionsService } from '../../src/auth/sessions/sessions.service.js';
import { databaseUnavailable } from '../../src/core/problems/database-problem.js';
import { Client } from '../support/client.js';
import { startInProcessReplica } from '../support/replicas.js';
import { lockRows, type RowLock } from '../support/row-lock.js';
import { exchangeToken, person, type SignIn, startSignIn } from '../support/sign-in.js';

const HOURS = 3600;

interface Tokens {
  access_token: string;
  refresh_token: string;
}

let here: SignIn;

beforeAll(async () => {
  const rules = {
    rules: [
      { name: 'Staff', when: { email_domains: ['vitrine.example'] }, admit: true },
      { name: 'Sales', when: { groups: ['sales'] }, grants: [{ workspace: 'Sales', role: 'viewer' }] },
    ],
  };
  const people = ['gus', 'nia', 'sam', 'uma'].map((sub) => person(sub));
  here = await startSignIn(people, rules);
  await here.service.factory.workspace({ name: 'Sales' });
});
afterAll(() => here.close());
beforeEach(() => inGroups('sales'));
afterEach(() => void jest.restoreAllMocks());

const inGroups = (...groups: string[]): void =>
  void here.provider.people.set('gus', person('gus', { groups }));

const tryToRenew = ({ refresh_token }: Tokens, api = here.service.api) =>
  api.post<Tokens>('/api/auth/token', { grant_type: 'refresh_token', refresh_token });

const renew = async (tokens: Tokens, api?: Client): Promise<Tokens> => {
  const response = await tryToRenew(tokens, api);
  expect(response.status).toBe(200);
  return response.body;
};

const me = async ({ access_token }: Tokens) =>
  (await new Client(here.service.url, access_token).get<{ id: string; grants: object[] }>('/api/users/me'))
    .body;

const grantsOf = async (tokens: Tokens): Promise<number> => (await me(tokens)).grants.length;

const failUserinfoOnce = (): void =>
  void jest.spyOn(here.provider.provider.AccessToken, 'find').mockResolvedValueOnce(undefined);

/** The provider answers a refresh of the claims as it is now, and the service receives the answer after the work. */
function duringRefresh(work: () => Promise<unknown>): void {
  const provider = here.service.app.get(IdentityProviderService);
  const ask = provider.renew.bind(provider);
  jest.spyOn(provider, 'renew').mockImplementationOnce(async (...request) => {
    const answer = await ask(...request);
    await work();
    return answer;
  });
}

describe('claims without userinfo', () => {
  test('at a renewal are asked for again after five minutes, not only after twelve hours', async () => {
    const { body } = await here.signIn('gus');
    here.service.clock.advance(13 * HOURS);
    failUserinfoOnce();
    const first = await renew(body);
    expect(await grantsOf(first)).toBe(1);
    inGroups();
    const second = await renew(first);
    expect(await grantsOf(second)).toBe(1);
    here.service.clock.advance(301);
    expect(await grantsOf(await renew(second))).toBe(0);
  });

  test('at a sign-in are asked for again after five minutes, too, and then not before twelve hours', async () => {
    failUserinfoOnce();
    const { body } = await here.signIn('gus');
    inGroups();
    const first = await renew(body);
    expect(await grantsOf(first)).toBe(1);
    here.service.clock.advance(301);
    const second = await renew(first);
    expect(await grantsOf(second)).toBe(0);
    inGroups('sales');
    here.service.clock.advance(301);
    expect(await grantsOf(await renew(second))).toBe(0);
  });

  test('end no session when the provider issued no refresh token', async () => {
    failUserinfoOnce();
    const provider = here.service.app.get(IdentityProviderService);
    const finish = provider.finish.bind(provider);
    jest.spyOn(provider, 'finish').mockImplementationOnce(async (...request) => {
      const tokens = await finish(...request);
      return { ...tokens, refreshToken: undefined };
    });
    const { body } = await here.signIn('nia');
    here.service.clock.advance(301);
    await renew(body);
  });
});

async function unlink(id: string): Promise<void> {
  const admin = await here.service.asAdmin();
  const path = `/api/users/${id}/identities`;
  const { body } = await admin.get<{ identities: { id: string }[] }>(path);
  expect((await admin.delete(`${path}/${body.identities[0]!.id}`)).status).toBe(204);
}

async function endSessions(id: string): Promise<void> {
  const admin = await here.service.asAdmin();
  expect((await admin.delete(`/api/users/${id}/sessions`)).status).toBe(204);
}

describe('the exchange of a token, which has no userinfo', () => {
  const exchange = async (): Promise<void> => {
    const { groups: _, ...claims } = person('gus');
    const { status } = await exchangeToken(here.service.api, await here.signed(claims));
    expect(status).toBe(200);
  };

  test('postpones no refresh of the claims', async () => {
    const { body } = await here.signIn('gus');
    here.service.clock.advance(11 * HOURS);
    await exchange();
    inGroups();
    here.service.clock.advance(2 * HOURS);
    expect(await grantsOf(await renew(body))).toBe(0);
  });

  test('does not replace a repetition of the refresh', async () => {
    failUserinfoOnce();
    const { body } = await here.signIn('gus');
    inGroups();
    await exchange();
    here.service.clock.advance(301);
    expect(await grantsOf(await renew(body))).toBe(0);
  });

  test('of another application, in which the person has another subject, does not prevent a refresh', async () => {
    const ids = { tid: demoTenant.tenantId, oid: randomUUID() };
    here.provider.people.set('eva', person('eva', { ...ids, groups: ['sales'] }));
    const { body } = await here.signIn('eva');
    const ofBackend = { ...person('eva', ids), sub: 'eva-in-backend' };
    expect((await exchangeToken(here.service.api, await here.signed(ofBackend))).status).toBe(200);
    here.provider.people.set('eva', person('eva', { ...ids, groups: [] }));
    here.service.clock.advance(13 * HOURS);
    expect(await grantsOf(await renew(body))).toBe(0);
  });

  test('leaves the claims of a refresh meanwhile', async () => {
    const { body } = await here.signIn('gus');
    inGroups();
    here.service.clock.advance(13 * HOURS);
    duringRefresh(exchange);
    expect(await grantsOf(await renew(body))).toBe(0);
  });
});

describe('a session that ends during a refresh of its claims', () => {
  test.each([
    ['its identity is unlinked', 'uma', unlink],
    ['an admin ends all sessions of the user', 'sam', endSessions],
  ])('is not renewed: %s', async (_what, sub, end) => {
    const { body } = await here.signIn(sub);
    const { id } = await me(body);
    here.service.clock.advance(13 * HOURS);
    duringRefresh(() => end(id));
    expect(await tryToRenew(body)).toMatchObject({ status: 401, body: { code: 'invalid_refresh_token' } });
  });
});

describe('a renewal while a change holds the identity', () => {
  let change: RowLock;

  const hold = async (): Promise<void> => {
    change = await lockRows(here.service.databaseUrl, 'SELECT FROM user_identities FOR UPDATE', []);
  };
  afterEach(() => change.release());

  test('succeeds, and the claims are refreshed by the next one', async () => {
    const { body } = await here.signIn('gus');
    inGroups();
    here.service.clock.advance(13 * HOURS);
    await hold();
    const first = await renew(body);
    const second = await renew(first);
    expect(await grantsOf(second)).toBe(1);
    await change.release();
    expect(await grantsOf(await renew(second))).toBe(0);
  });

  test('succeeds when no refresh is due', async () => {
    const { body } = await here.signIn('gus');
    await hold();
    await renew(body);
  });
});

describe('a renewal while the database fails', () => {
  test('when the refreshed claims and the new refresh token of the provider are stored, succeeds', async () => {
    const { body } = await here.signIn('gus');
    inGroups();
    here.service.clock.advance(13 * HOURS);
    const access = here.service.app.get(IdpAccessService);
    jest.spyOn(access, 'storeRefreshToken').mockRejectedValue(databaseUnavailable());
    const renewed = await renew(body);
    expect(await grantsOf(renewed)).toBe(1);
    here.service.clock.advance(31);
    await renew(renewed);
  });

  test('when it is checked whether the session has ended meanwhile, succeeds', async () => {
    const { body } = await here.signIn('gus');
    inGroups();
    here.service.clock.advance(13 * HOURS);
    const sessions = here.service.app.get(SessionsService);
    jest.spyOn(sessions, 'hasEnded').mockRejectedValueOnce(databaseUnavailable());
    const renewed = await renew(body);
    expect(await grantsOf(renewed)).toBe(0);
    here.service.clock.advance(31);
    await renew(renewed);
  });
});

describe('a sign-in during a refresh of the claims', () => {
  test('is newer: its claims stay', async () => {
    const { body } = await here.signIn('gus');
    here.service.clock.advance(13 * HOURS);
    duringRefresh(async () => {
      inGroups();
      expect((await here.signIn('gus')).status).toBe(200);
    });
    const renewed = await renew(body);
    expect(await grantsOf(renewed)).toBe(0);
    // The provider's refresh token of the sign-in is kept, too.
    here.service.clock.advance(13 * HOURS);
    inGroups('sales');
    expect(await grantsOf(await renew(renewed))).toBe(1);
  });

  test('keeps the sessions although the provider refuses the former refresh token', async () => {
    const { body } = await here.signIn('gus');
    here.service.clock.advance(13 * HOURS);
    const provider = here.service.app.get(IdentityProviderService);
    let newer: Tokens | undefined;
    jest.spyOn(provider, 'renew').mockImplementationOnce(async () => {
      newer = (await here.signIn('gus')).body;
      throw new SignInRefused('cancelled');
    });
    expect(await grantsOf(await renew(body))).toBe(1);
    expect(await grantsOf(newer as Tokens)).toBe(1);
  });
});

test('a refresh while the keys of the provider cannot be fetched is repeated, also if it replaces its refresh tokens', async () => {
  const { provider } = here.provider;
  jest.spyOn(provider.RefreshToken.prototype, 'ttlPercentagePassed').mockReturnValue(100);
  let isFailing = false;
  const createContext = provider.createContext.bind(provider);
  jest.spyOn(provider, 'createContext').mockImplementation((request, response) => {
    if (isFailing && request.url === '/jwks') request.url = '/unavailable';
    return createContext(request, response);
  });
  const { body } = await here.signIn('gus');
  inGroups();
  here.service.clock.advance(13 * HOURS);
  isFailing = true;
  // It has not fetched the keys yet.
  const replica = await startInProcessReplica(here.service);
  try {
    const first = await renew(body, new Client(replica.url));
    expect(await grantsOf(first)).toBe(1);
    isFailing = false;
    here.service.clock.advance(301);
    expect(await grantsOf(await renew(first))).toBe(0);
  } finally {
    await replica.close();
  }
});
