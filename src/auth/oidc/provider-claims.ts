import { cleanName, isExternalId } from '../../core/validation/text.js';
import { canonicalEmail, isEmailAddress } from '../../core/validation/email-address.js';
import { InvalidClaim } from './provider.errors.js';

export type RawClaims = Record<string, unknown>;

/** Claims from ID token and userinfo, normalized across providers. */
export interface ProviderClaims {
  iss: string;
  sub: string;
  tid: string | null;
  oid: string | null;
  /** Null unless the provider asserts that the address is verified, or is configured as trusted. */
  verifiedEmail: string | null;
  email: string | null;
  name: string | null;
  /** Undefined: the provider sent no groups claim, which differs from an empty list. */
  groups: readonly string[] | undefined;
  raw: RawClaims;
}

interface Reading {
  groupsClaim: string;
  trustEmail: boolean;
}

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** Throws InvalidClaim. */
function idOf(raw: RawClaims, claim: 'iss' | 'sub'): string {
  const id = raw[claim];
  if (isExternalId(id)) return id;
  throw new InvalidClaim(claim);
}

/** Throws InvalidClaim for a value that is present and malformed. */
const optionalIdOf = (raw: RawClaims, claim: 'tid' | 'oid'): string | null => {
  const id = textOf(raw[claim]);
  if (id === null || isExternalId(id)) return id;
  throw new InvalidClaim(claim);
};

/** Entra's tenant and object IDs count only in a token whose issuer is that tenant. */
function entraIds(raw: RawClaims, iss: string): { tid: string; oid: string } | { tid: null; oid: null } {
  const [tid, oid] = [optionalIdOf(raw, 'tid'), optionalIdOf(raw, 'oid')];
  const isOwn = tid !== null && oid !== null && iss.endsWith(`/${tid}/v2.0`);
  return isOwn ? { tid, oid } : { tid: null, oid: null };
}

/** Whether the provider omitted the claim (Entra, above 200 groups) and only refers to it in `_claim_names` or `hasgroups`. */
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

const isEmailVerified = ({ email_verified, xms_edov }: RawClaims): boolean =>
  email_verified === true || xms_edov === true || xms_edov === '1' || xms_edov === 1;

/** Throws InvalidClaim for a malformed id. Names are sanitized; an invalid email address becomes null. */
export function readClaims(raw: RawClaims, { groupsClaim, trustEmail }: Reading): ProviderClaims {
  const given = textOf(raw.email) ?? (trustEmail ? textOf(raw.preferred_username) : null);
  const email = isEmailAddress(given) ? canonicalEmail(given) : null;
  const iss = idOf(raw, 'iss');
  return {
    iss,
    sub: idOf(raw, 'sub'),
    ...entraIds(raw, iss),
    email,
    verifiedEmail: trustEmail || isEmailVerified(raw) ? email : null,
    name: cleanName(textOf(raw.name) ?? ''),
    groups: groupsOf(raw, groupsClaim),
    raw,
  };
}
