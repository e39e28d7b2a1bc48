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
  status: UserStatus;
  attributes: Record<string, string>;
  source: 'scim';
}

type Before = Pick<
  ScimUser,
  'userName' | 'externalId' | 'givenName' | 'familyName' | 'name' | 'email' | 'status' | 'attributes'
>;

const composed = ({ givenName, familyName }: Pick<Before, 'givenName' | 'familyName'>): string =>
  [givenName, familyName].filter((part) => part !== null).join(' ');

/** Computes what to store of a person; `before` is undefined for a new one. Throws ScimError. */
export function storedValues(values: UserValues, before?: Before): StoredValues {
  const userName = values.userName ?? before?.userName ?? '';
  const { givenName = before?.givenName ?? null, familyName = before?.familyName ?? null } = values;
  const status = values.isActive === undefined ? (before?.status ?? 'active') : statusOf(values.isActive);
  return {
    userName,
    externalId: values.externalId === undefined ? (before?.externalId ?? null) : values.externalId,
    givenName,
    familyName,
    name: nameOf(values, { givenName, familyName, userName }, before),
    email: addressOf(values, userName, before),
    status,
    attributes: attributesOf(values, before?.attributes ?? {}),
    source: 'scim',
  };
}

const statusOf = (isActive: boolean): UserStatus => (isActive ? 'active' : 'disabled');

/** The displayed name follows given and family name, unless it differs from them. */
function nameOf(
  { displayName, formatted }: UserValues,
  next: Pick<Before, 'givenName' | 'familyName' | 'userName'>,
  before: Before | undefined,
): string {
  const follows = before === undefined || before.name === composed(before) || displayName === null;
  const kept = follows ? undefined : before.name;
  const wanted = displayName ?? formatted ?? kept;
  const name = cleanName(wanted ?? composed(next)) ?? before?.name ?? cleanName(next.userName);
  return name ?? invalid('invalidValue', 'displayName must be 1 to 200 printable characters, without ://');
}

/** The user name replaces the address as long as both are equal. */
function addressOf({ email }: UserValues, userName: string, before: Before | undefined): string {
  if (email !== undefined) return canonicalEmail(email);
  const follows = before === undefined || canonicalEmail(before.userName) === before.email;
  if (follows && isEmailAddress(userName)) return canonicalEmail(userName);
  return before?.email ?? invalid('invalidValue', 'emails, or userName, must contain an email address');
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
