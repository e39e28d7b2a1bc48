import { canonicalEmail } from '../../users/email.js';

export type RawClaims = Record<string, unknown>;

/** What the provider said about a person, in ID token and userinfo, in one form for every provider. */
export interface ProviderClaims {
  iss: string;
  sub: string;
  tid: string | null;
  oid: string | null;
  /** Only one that the provider vouches for. */
  verifiedEmail: string | null;
  email: string | null;
  name: string | null;
  /** Undefined: the provider did not say, which is not the same as none. */
  groups: readonly string[] | undefined;
  raw: RawClaims;
}

interface Reading {
  groupsClaim: string;
  trustEmail: boolean;
}

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

const emailShape = /^[^\s@]+@[^\s@]+$/;

/** Entra's tenant and person ids count only in a token whose issuer is that very tenant. */
function entraIds({ iss, tid, oid }: RawClaims): { tid: string; oid: string } | { tid: null; oid: null } {
  const [tenant, person] = [textOf(tid), textOf(oid)];
  const isOwn = tenant !== null && person !== null && textOf(iss)?.endsWith(`/${tenant}/v2.0`);
  return isOwn ? { tid: tenant, oid: person } : { tid: null, oid: null };
}

/** Left out of the token (Entra, from 200 groups on), it is named in `_claim_names` or told of by `hasgroups`. */
export function isOverflowing(raw: RawClaims, claim: string, isGroups = false): boolean {
  const elsewhere = raw['_claim_names'];
  if (isGroups && raw.hasgroups !== undefined) return true;
  return typeof elsewhere === 'object' && elsewhere !== null && claim in elsewhere;
}

function groupsOf(raw: RawClaims, claim: string): string[] | undefined {
  if (isOverflowing(raw, claim, true)) return undefined;
  const value = raw[claim];
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : undefined;
}

const isVouchedFor = ({ email_verified, xms_edov }: RawClaims): boolean =>
  email_verified === true || xms_edov === true || xms_edov === '1' || xms_edov === 1;

export function readClaims(raw: RawClaims, { groupsClaim, trustEmail }: Reading): ProviderClaims {
  const given = textOf(raw.email) ?? (trustEmail ? textOf(raw.preferred_username) : null);
  const email =
    given !== null && given.length <= 254 && emailShape.test(given) ? canonicalEmail(given) : null;
  return {
    iss: String(raw.iss),
    sub: String(raw.sub),
    ...entraIds(raw),
    email,
    verifiedEmail: trustEmail || isVouchedFor(raw) ? email : null,
    name: textOf(raw.name)?.slice(0, 200) ?? null,
    groups: groupsOf(raw, groupsClaim),
    raw,
  };
}
