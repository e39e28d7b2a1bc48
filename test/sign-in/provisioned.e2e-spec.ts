import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client } from '../support/client.js';
import { newPerson, type ScimUserBody } from '../scim/scim-service.js';
import { person, type SignIn, startSignIn } from '../support/sign-in.js';

let here: SignIn;
let idp: Client;

beforeAll(async () => {
  // No rule admits anyone.
  here = await startSignIn(
    ['ada', 'successor', 'boss', 'mover'].map((sub) => person(sub)),
    undefined,
    {
      OIDC_UPDATE_EMAIL: 'true',
    },
  );
  const admin = await here.service.as(await here.service.factory.admin());
  const { body } = await admin.post<{ client_secret: string }>('/api/service-accounts', {
    name: 'Provider',
    scopes: ['scim'],
  });
  idp = new Client(here.service.url, body.client_secret);
});
afterAll(() => here.close());

const emailOf = (sub: string): string => here.provider.people.get(sub)?.email as string;
const create = async (email: string): Promise<ScimUserBody> =>
  (await idp.post<ScimUserBody>('/scim/v2/Users', newPerson({ userName: email, emails: [{ value: email }] })))
    .body;

describe('the first sign-in of a person from SCIM', () => {
  test('links the identity by verified email address, without a rule', async () => {
    const { id } = await create(emailOf('ada'));
    expect((await here.signIn('ada')).status).toBe(200);
    const links = await here.service.database.query('SELECT user_id FROM user_identities');
    expect(links).toEqual([{ user_id: id }]);
  });

  test('does not link a second identity, nor an admin', async () => {
    here.provider.people.set('successor', { ...person('successor'), email: emailOf('ada') });
    await here.arrive('successor');
    const boss = await create(emailOf('boss'));
    await here.service.database.query(`UPDATE users SET role = 'admin' WHERE id = $1`, [boss.id]);
    await here.arrive('boss');
    expect(await here.service.database.query('SELECT FROM user_identities')).toHaveLength(1);
  });
});

describe('with OIDC_UPDATE_EMAIL, the sign-in of a person whose address the provider has changed', () => {
  const move = (claims: object): void =>
    void here.provider.people.set('mover', { ...person('mover'), ...claims });
  const emailOfUser = async (id: string): Promise<string> =>
    (
      await here.service.database.query<{ email: string }[]>('SELECT email FROM users WHERE id = $1', [id])
    )[0]!.email;

  test('changes the address of the account, and sends an email to both', async () => {
    const { id } = await here.service.factory.user({ email: emailOf('mover') });
    const admin = await here.service.asAdmin();
    await admin.post(`/api/users/${id}/identities`, { subject: 'mover' });
    move({ email: 'Moved@vitrine.example' });
    expect((await here.signIn('mover')).status).toBe(200);
    expect(await emailOfUser(id)).toBe('moved@vitrine.example');
    for (const address of ['mover@vitrine.example', 'moved@vitrine.example']) {
      const { subject } = await here.service.mailbox.mailTo(address);
      expect(subject).toBe('Your email address was changed');
    }
    move({ email: 'unverified@vitrine.example', email_verified: false });
    expect((await here.signIn('mover')).status).toBe(200);
    expect(await emailOfUser(id)).toBe('moved@vitrine.example');
    const other = await here.service.factory.user();
    move({ email: other.email });
    expect((await here.signIn('mover')).status).toBe(200);
    expect(await emailOfUser(id)).toBe('moved@vitrine.example');
  });
});
