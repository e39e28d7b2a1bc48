import { isAttributeValue } from '../../core/validation/text.js';
import type { RuleCondition, RuleGrant, SignInRule, SignInRules } from '../../core/config/sign-in-rules.js';
import { InvalidClaim } from './provider.errors.js';
import { isOverflowing, type ProviderClaims, type RawClaims } from './provider-claims.js';

export type Verdict = 'yes' | 'no' | 'unknown';

/** Result of the rules for a set of claims. Unknown parts leave the current state unchanged. */
export interface Entitlements {
  admitted: boolean;
  admin: Verdict;
  /** Null: the condition is unknown, or the source claim is missing. */
  attributes: Record<string, string | null>;
  grants: RuleGrant[];
  unknownGrants: RuleGrant[];
  /** Groups in Vitrine, by id or name. */
  groups: string[];
  unknownGroups: string[];
}

const anyOf = <T>(known: readonly T[] | undefined, wanted: readonly T[]): Verdict => {
  if (known === undefined) return 'unknown';
  return wanted.some((value) => known.includes(value)) ? 'yes' : 'no';
};

const domainOf = (email: string | null): string[] | undefined =>
  email === null ? undefined : [email.slice(email.lastIndexOf('@') + 1)];

const isScalar = (value: unknown): value is string | number | boolean =>
  ['string', 'number', 'boolean'].includes(typeof value);

function valuesOf(raw: RawClaims, claim: string): string[] | undefined {
  if (!Object.hasOwn(raw, claim) || isOverflowing(raw, claim)) return undefined;
  const value = raw[claim];
  return (Array.isArray(value) ? value : [value]).filter(isScalar).map(String);
}

/** A single failed condition decides; otherwise a single unknown one makes the result unknown. */
function applyRules(when: RuleCondition, { verifiedEmail, groups, raw }: ProviderClaims): Verdict {
  const verdicts = Object.entries(when.claims ?? {}).map(([claim, values]) =>
    anyOf(valuesOf(raw, claim), values),
  );
  if (when.groups !== undefined) verdicts.push(anyOf(groups, when.groups));
  if (when.email_domains !== undefined) verdicts.push(anyOf(domainOf(verifiedEmail), when.email_domains));
  if (verdicts.includes('no')) return 'no';
  return verdicts.includes('unknown') ? 'unknown' : 'yes';
}

/** Throws InvalidClaim for a value that the API would not accept as an attribute. */
function valueOf(source: string | { claim: string }, raw: RawClaims): string | null {
  if (typeof source === 'string') return source;
  const value = raw[source.claim];
  if (!isScalar(value)) return null;
  const text = String(value);
  if (!isAttributeValue(text)) throw new InvalidClaim(source.claim);
  return text;
}

const adminOf = (evaluated: readonly { rule: SignInRule; verdict: Verdict }[]): Verdict => {
  const verdicts = evaluated.filter(({ rule }) => rule.role === 'admin').map(({ verdict }) => verdict);
  if (verdicts.includes('yes')) return 'yes';
  return verdicts.includes('unknown') ? 'unknown' : 'no';
};

/** Throws InvalidClaim. */
export function evaluate({ rules }: SignInRules, claims: ProviderClaims): Entitlements {
  const evaluated = rules.map((rule) => ({ rule, verdict: applyRules(rule.when, claims) }));
  const having = (wanted: Verdict): SignInRule[] =>
    evaluated.filter(({ verdict }) => verdict === wanted).map(({ rule }) => rule);
  const attributes: Record<string, string | null> = {};
  for (const rule of having('unknown')) {
    for (const name of Object.keys(rule.attributes ?? {})) attributes[name] = null;
  }
  for (const rule of having('yes')) {
    for (const [name, source] of Object.entries(rule.attributes ?? {})) {
      attributes[name] = valueOf(source, claims.raw);
    }
  }
  return {
    admitted: having('yes').some((rule) => rule.admit === true),
    admin: adminOf(evaluated),
    attributes,
    grants: having('yes').flatMap((rule) => rule.grants ?? []),
    unknownGrants: having('unknown').flatMap((rule) => rule.grants ?? []),
    groups: having('yes').flatMap((rule) => rule.member_of ?? []),
    unknownGroups: having('unknown').flatMap((rule) => rule.member_of ?? []),
  };
}
