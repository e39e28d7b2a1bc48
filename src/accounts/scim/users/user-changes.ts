import { canonicalEmail, isEmailAddress } from '../../../core/validation/email-address.js';
import { cleanName, MAX_ATTRIBUTES } from '../../../core/validation/text.js';
import type { ScimUser } from '../../../users/scim-users.queries.js';
import type { UserStatus } from '../../../users/user.entity.js';
import { invalid } from '../scim.errors.js';
import type { UserValues } from './user-draft.js';

export interface StoredValues {
  userName: string;
  externalId: string | null;
  givenName: string | null;
  familyName: string | null;
  name: string;
  email: string;
  hasScimEmail: boolean;
  status: UserStatus;
  attributes: Record<string, string>;
  source: 'scim';
}

const composed = ({ givenName, familyName }: Pick<ScimUser, 'givenName' | 'familyName'>): string =>
  [givenName, familyName].filter((part) => part !== null).join(' ');

/** Computes what to store of a person; `before` is undefined for a new one. Throws ScimError. */
export function storedValues(values: UserValues, before?: ScimUser): StoredValues {
  const userName = values.userName ?? before?.userName ?? '';
  const { givenName = before?.givenName ?? null, familyName = before?.familyName ?? null } = values;
  const status = values.isActive === undefined ? (before?.status ?? 'active') : statusOf(values.isActive);
  return {
    userName,
    externalId: values.externalId === undefined ? (before?.externalId ?? null) : values.externalId,
    givenName,
    familyName,
    name: nameOf(values, { givenName, familyName, userName }, before),
    email: addressOf(values, { userName, status }, before),
    hasScimEmail: values.email !== undefined || before?.hasScimEmail === true,
    status,
    attributes: attributesOf(values, before?.attributes ?? {}),
    source: 'scim',
  };
}

const statusOf = (isActive: boolean): UserStatus => (isActive ? 'active' : 'disabled');

/** The displayed name follows given and family name, unless it differs from them. */
function nameOf(
  { displayName, formatted }: UserValues,
  next: Pick<ScimUser, 'givenName' | 'familyName' | 'userName'>,
  before: ScimUser | undefined,
): string {
  const follows = before === undefined || before.name === composed(before) || displayName === null;
  const kept = follows ? undefined : before.name;
  const wanted = displayName ?? formatted ?? kept;
  const former = displayName === null ? undefined : before?.name;
  const name = cleanName(wanted ?? composed(next)) ?? former ?? cleanName(next.userName);
  return name ?? invalid('invalidValue', 'displayName must be 1 to 200 printable characters, without ://');
}

function addressOf(
  { email }: UserValues,
  next: Pick<ScimUser, 'userName' | 'status'>,
  before: ScimUser | undefined,
): string {
  if (email !== undefined) return canonicalEmail(email);
  if ((before === undefined || followsUserName(before, next)) && isEmailAddress(next.userName)) {
    return canonicalEmail(next.userName);
  }
  return before?.email ?? invalid('invalidValue', 'emails, or userName, must contain an email address');
}

/**
 * Whether the user name is the former one with an object id in front of it: Microsoft Entra ID frees in this way the name of a
 * person whom it deletes.
 */
export const isFreed = (userName: string, former: string): boolean =>
  /^[0-9a-f]{32}/i.test(userName) && userName.slice(32).toLowerCase() === former.toLowerCase();

/**
 * While both are equal, an address follows a user name that is freed, so that a successor can have both, and comes back with it;
 * until the provider sends an address, that of an active person follows every user name. Never that of an admin.
 */
function followsUserName(before: ScimUser, next: Pick<ScimUser, 'userName' | 'status'>): boolean {
  if (before.role === 'admin' || canonicalEmail(before.userName) !== before.email) return false;
  if (isFreed(next.userName, before.userName) || isFreed(before.userName, next.userName)) return true;
  return !before.hasScimEmail && before.status === 'active' && next.status === 'active';
}

function attributesOf({ attributes }: UserValues, before: Record<string, string>): Record<string, string> {
  const merged = Object.fromEntries(
    Object.entries({ ...before, ...attributes }).filter(
      (entry): entry is [string, string] => entry[1] !== null,
    ),
  );
  const count = Object.keys(merged).length;
  if (count > MAX_ATTRIBUTES && count > Object.keys(before).length) {
    return invalid('invalidValue', `A person has at most ${MAX_ATTRIBUTES} attributes`);
  }
  return merged;
}
