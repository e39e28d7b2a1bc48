import { describe, expect, test } from '@jest/globals';
import type { RuleCondition, SignInRule } from '../../core/config/sign-in-rules.js';
import { type RawClaims, readClaims } from './provider-claims.js';
import { evaluate } from './rules.js';

const tid = '11111111-1111-4111-8111-111111111111';
const reading = { groupsClaim: 'groups', trustEmail: false };

const verdictOf = (when: RuleCondition, raw: RawClaims): string => {
  const rule: SignInRule = { name: 'one', when, role: 'admin' };
  return evaluate(
    { groups_claim: 'groups', rules: [rule] },
    readClaims({ iss: 'i', sub: 's', ...raw }, reading),
  ).admin;
};

describe('evaluate', () => {
  test.each<[string, RuleCondition, RawClaims, string]>([
    ['a matching group', { groups: ['a', 'b'] }, { groups: ['b'] }, 'yes'],
    ['a missing group', { groups: ['a'] }, { groups: [] }, 'no'],
    ['no groups claim', { groups: ['a'] }, {}, 'unknown'],
    [
      'groups overage (_claim_names)',
      { groups: ['a'] },
      { groups: ['a'], _claim_names: { groups: 's' } },
      'unknown',
    ],
    ['a list claim', { claims: { roles: ['x'] } }, { roles: ['w', 'x'] }, 'yes'],
    ['a numeric claim', { claims: { level: ['3'] } }, { level: 3 }, 'yes'],
    ['a claim named like a method', { claims: { toString: ['x'] } }, {}, 'unknown'],
    ['a verified domain', { email_domains: ['a.test'] }, { email: 'X@A.Test', email_verified: true }, 'yes'],
    [
      'a domain with the same suffix',
      { email_domains: ['a.test'] },
      { email: 'x@ba.test', email_verified: true },
      'no',
    ],
    ['an unverified domain', { email_domains: ['a.test'] }, { email: 'x@a.test' }, 'unknown'],
    [
      'two at signs',
      { email_domains: ['a.test'] },
      { email: 'x@a.test@b.test', email_verified: true },
      'unknown',
    ],
    ['one unmatched condition', { groups: ['a'], claims: { c: ['d'] } }, { groups: ['a'], c: 'e' }, 'no'],
    ['an unmatched and an undetermined condition', { groups: ['a'], claims: { c: ['d'] } }, { c: 'e' }, 'no'],
    [
      'an undetermined and a matched condition',
      { groups: ['a'], claims: { c: ['d'] } },
      { c: 'd' },
      'unknown',
    ],
  ])('%s', (_, when, raw, verdict) => {
    expect(verdictOf(when, raw)).toBe(verdict);
  });
});

describe('readClaims', () => {
  test('reads the ids of Entra only from a token of the same tenant', () => {
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

  test('trusts an email address only when the provider has verified it', () => {
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
