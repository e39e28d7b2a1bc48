import { describe, expect, test } from '@jest/globals';
import type { RuleCondition, SignInRule } from '../core/config/sign-in-rules.js';
import { type RawClaims, readClaims } from './provider-claims.js';
import { evaluate } from './rules.js';

const tid = '11111111-1111-4111-8111-111111111111';
const reading = { groupsClaim: 'groups', trustEmail: false };

const judged = (when: RuleCondition, raw: RawClaims): string => {
  const rule: SignInRule = { name: 'one', when, role: 'admin' };
  return evaluate(
    { groups_claim: 'groups', rules: [rule] },
    readClaims({ iss: 'i', sub: 's', ...raw }, reading),
  ).admin;
};

describe('evaluate', () => {
  test.each<[string, RuleCondition, RawClaims, string]>([
    ['a group that is there', { groups: ['a', 'b'] }, { groups: ['b'] }, 'yes'],
    ['a group that is not', { groups: ['a'] }, { groups: [] }, 'no'],
    ['no word on groups', { groups: ['a'] }, {}, 'unknown'],
    ['groups kept elsewhere', { groups: ['a'] }, { groups: ['a'], _claim_names: { groups: 's' } }, 'unknown'],
    ['a claim of a list', { claims: { roles: ['x'] } }, { roles: ['w', 'x'] }, 'yes'],
    ['a claim that is no text', { claims: { level: ['3'] } }, { level: 3 }, 'yes'],
    ['a claim by the name of a method', { claims: { toString: ['x'] } }, {}, 'unknown'],
    [
      'a domain vouched for',
      { email_domains: ['A.Test'] },
      { email: 'x@a.test', email_verified: true },
      'yes',
    ],
    [
      'a domain that only ends so',
      { email_domains: ['a.test'] },
      { email: 'x@ba.test', email_verified: true },
      'no',
    ],
    ['a domain not vouched for', { email_domains: ['a.test'] }, { email: 'x@a.test' }, 'unknown'],
    [
      'two at signs',
      { email_domains: ['a.test'] },
      { email: 'x@a.test@b.test', email_verified: true },
      'unknown',
    ],
    ['all but one', { groups: ['a'], claims: { c: ['d'] } }, { groups: ['a'], c: 'e' }, 'no'],
    ['a failure beside an unknown', { groups: ['a'], claims: { c: ['d'] } }, { c: 'e' }, 'no'],
    ['an unknown beside what holds', { groups: ['a'], claims: { c: ['d'] } }, { c: 'd' }, 'unknown'],
  ])('%s', (_, when, raw, verdict) => {
    expect(judged(when, raw)).toBe(verdict);
  });
});

describe('readClaims', () => {
  test('takes the ids of Entra only from a token of that very tenant', () => {
    const raw = { sub: 's', tid, oid: 'o' };
    expect(readClaims({ ...raw, iss: `https://login.test/${tid}/v2.0` }, reading)).toMatchObject({
      tid,
      oid: 'o',
    });
    expect(readClaims({ ...raw, iss: 'https://login.test' }, reading)).toMatchObject({
      tid: null,
      oid: null,
    });
  });

  test('believes an address only when it is vouched for', () => {
    const raw = { iss: 'i', sub: 's', email: 'Ada@Contoso.example' };
    const verified = (more: RawClaims, trustEmail = false) =>
      readClaims({ ...raw, ...more }, { ...reading, trustEmail }).verifiedEmail;
    expect(verified({ email_verified: true })).toBe('ada@contoso.example');
    expect(verified({ xms_edov: '1' })).toBe('ada@contoso.example');
    expect(verified({})).toBeNull();
    expect(verified({ email_verified: 'true' })).toBeNull();
    expect(verified({}, true)).toBe('ada@contoso.example');
  });
});
