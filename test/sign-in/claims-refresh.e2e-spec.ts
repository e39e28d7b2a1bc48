import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { IdentityProviderService } from '../../src/auth/oidc/identity-provider.service.js';
import { SignInRefused } from '../../src/auth/oidc/provider.errors.js';
import { Client } from '../support/client.js';
import { person, type SignIn, startSignIn } from '../support/sign-in.js';

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
  here = await startSignIn([person('gus')], rules);
  await here.service.factory.workspace({ name: 'Sales' });
});
afterAll(() => here.close());
beforeEach(() => inGroups('sales'));
afterEach(() => void jest.restoreAllMocks());

const inGroups = (...groups: string[]): void =>
  void here.provider.people.set('gus', person('gus', { groups }));

const renew = async ({ refresh_token }: Tokens): Promise<Tokens> => {
  const body = { grant_type: 'refresh_token', refresh_token };
  const response = await here.service.api.post<Tokens>('/api/auth/token', body);
  expect(response.status).toBe(200);
  return response.body;
};

const grantsOf = async ({ access_token }: Tokens): Promise<number> => {
  const { body } = await new Client(here.service.url, access_token).get<{ grants: object[] }>(
    '/api/users/me',
  );
  return body.grants.length;
};

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
  test('are asked for again after five minutes, not only after twelve hours', async () => {
    const { body } = await here.signIn('gus');
    here.service.clock.advance(13 * HOURS);
    jest.spyOn(here.provider.provider.AccessToken, 'find').mockResolvedValueOnce(undefined);
    const first = await renew(body);
    expect(await grantsOf(first)).toBe(1);
    inGroups();
    const second = await renew(first);
    expect(await grantsOf(second)).toBe(1);
    here.service.clock.advance(301);
    expect(await grantsOf(await renew(second))).toBe(0);
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
