import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { vitrine } from '../support/cli.js';
import { Client } from '../support/client.js';
import { goAs, loginUrl, newProof, person, type SignIn, startSignIn } from '../support/sign-in.js';

let here: SignIn;

beforeAll(async () => {
  here = await startSignIn([person('root'), person('olga')], { rules: [] }, { PASSWORD_SIGN_IN: 'false' });
});
afterAll(() => here.close());

const acceptAs = async (sub: string, invitation_token: string): Promise<Client> => {
  const [browser, proof] = [here.browser(), newProof()];
  await browser.request('https://vitrine.test/login/invitation', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-vitrine-csrf': '1', origin: 'https://vitrine.test' },
    body: JSON.stringify({ invitation_token }),
  });
  const page = await goAs(browser, sub, loginUrl(proof));
  const { body } = await here.exchange(page.url.searchParams.get('code') ?? page.text, proof.verifier);
  return new Client(here.service.url, body.access_token);
};

describe('PASSWORD_SIGN_IN=false', () => {
  test('the first admin accepts an invitation of the command line through the provider', async () => {
    const args = ['invite', 'root@vitrine.example', '--role', 'admin'];
    expect((await vitrine(here.service.environment, args)).code).toBe(0);
    const admin = await acceptAs('root', await here.service.mailbox.secretFor('root@vitrine.example'));
    expect((await admin.get('/api/audit-events')).status).toBe(200);
  });

  test('vitrine users create names no password, and the user signs in with a linked identity', async () => {
    const args = ['users', 'create', 'olga@vitrine.example'];
    const { stdout } = await vitrine(here.service.environment, args);
    const [, id] = /\(([\w-]+)\)/.exec(stdout)!;
    expect(stdout).toBe(
      `olga@vitrine.example (${id}) can sign in after an admin has linked an identity (PASSWORD_SIGN_IN=false).\n`,
    );
    const admin = await here.service.asAdmin();
    expect((await admin.post(`/api/users/${id}/identities`, { subject: 'olga' })).status).toBe(201);
    expect((await here.signIn('olga')).status).toBe(200);
  });
});
