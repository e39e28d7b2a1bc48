import * as fc from 'fast-check';
import { demoTenant } from '@vitrine/power-bi-emulator';
import { type Person } from '../../local/demo-people.js';
import { exchangeToken, loginUrl, newProof, type SignIn } from '../support/sign-in.js';
import { anything, hostileText } from './hostile.js';

/** Claims that an identity provider sends about a person, and how they reach the service. */
export interface GeneratedSignIn {
  via: 'callback' | 'exchange';
  claims: Person;
}

export const signInRules = {
  rules: [
    {
      name: 'Staff',
      when: { email_domains: ['vitrine.example'] },
      admit: true,
      attributes: { department: { claim: 'department' }, employee: { claim: 'employee_id' } },
    },
    { name: 'Sales', when: { groups: ['sales'] }, grants: [{ workspace: 'Sales', role: 'viewer' }] },
  ],
};

const ids = fc.oneof(fc.uuid(), fc.uuid(), hostileText);
const local = fc.oneof({ weight: 3, arbitrary: fc.uuid() }, { weight: 1, arbitrary: hostileText });
const email = fc.oneof(
  { weight: 4, arbitrary: local.map((part) => `${part}@vitrine.example`) },
  { weight: 1, arbitrary: anything },
);
const text = fc.oneof({ weight: 3, arbitrary: hostileText }, { weight: 1, arbitrary: anything });

const claims = fc
  .record(
    {
      sub: ids,
      name: text,
      email,
      email_verified: fc.oneof(fc.constant(true), anything),
      preferred_username: email,
      tid: fc.oneof(fc.constant(demoTenant.tenantId), text),
      oid: fc.oneof(ids, anything),
      groups: fc.oneof(fc.constant(['sales']), fc.array(text, { maxLength: 3 }), anything),
      department: text,
      employee_id: text,
      hasgroups: anything,
      _claim_names: anything,
    },
    { requiredKeys: ['sub', 'email', 'email_verified'] },
  )
  .map((all): Person => all);

/** A sign-in of a person with any value in every claim. */
export const signIns: fc.Arbitrary<GeneratedSignIn> = fc.record({
  via: fc.constantFrom('callback', 'exchange', 'exchange', 'exchange'),
  claims,
});

let count = 0;

/** Status of the response to the callback; undefined where the provider itself does not get that far. */
async function statusOfCallback(signIn: SignIn, claims: Person): Promise<number | undefined> {
  const { provider } = signIn;
  const id = `generated-${(count += 1)}`;
  provider.people.set(id, claims);
  provider.people.set(claims.sub, claims);
  const browser = signIn.browser();
  const list = await browser.open(loginUrl(newProof()));
  const { url, status } = await browser.open(`${list.url.href}/as/${id}`);
  provider.people.delete(id);
  provider.people.delete(claims.sub);
  return url.origin === new URL(provider.issuer).origin ? undefined : status;
}

async function statusOfExchange({ service, signed }: SignIn, claims: Person): Promise<number> {
  const { status } = await exchangeToken(service.api, await signed(claims));
  return status;
}

export const statusOf = (here: SignIn, { via, claims }: GeneratedSignIn): Promise<number | undefined> =>
  via === 'callback' ? statusOfCallback(here, claims) : statusOfExchange(here, claims);
