import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client } from '../support/client.js';
import { newPerson, type ScimUserBody } from '../scim/scim-service.js';
import { person, type SignIn, startSignIn } from '../support/sign-in.js';

let here: SignIn;
let idp: Client;

beforeAll(async () => {
  // No rule admits anyone.
  here = await startSignIn(['ada', 'successor', 'boss'].map((sub) => person(sub)));
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
