import { isExternalId, isName, MAX_EXTERNAL_ID } from '../../../core/validation/text.js';
import { GROUP_SCHEMA } from '../schemas.js';
import { invalid } from '../scim.errors.js';

const prefix = `${GROUP_SCHEMA.toLowerCase()}:`;

/** The name of an attribute in lower case and without its schema: clients send both forms. */
export function attributeOf(name: string): string {
  const lower = name.trim().toLowerCase();
  return lower.startsWith(prefix) ? lower.slice(prefix.length) : lower;
}

export function displayNameOf(value: unknown): string {
  if (isName(value)) return value;
  return invalid('invalidValue', 'displayName must be 1 to 200 printable characters, without ://');
}

/** An empty value removes the id. */
export function externalIdOf(value: unknown): string | null {
  if (value === null || value === '') return null;
  if (isExternalId(value)) return value;
  return invalid('invalidValue', `externalId must be 1 to ${MAX_EXTERNAL_ID} printable characters`);
}

/** Ids of members. Bare ids in place of objects are accepted, also one member without an array. */
export function memberIdsOf(value: unknown): string[] {
  if (value === null || value === undefined) return [];
  const members: unknown[] = Array.isArray(value) ? value : [value];
  return members.map((member, index) => {
    const id = typeof member === 'object' && member !== null ? (member as { value?: unknown }).value : member;
    if (typeof id === 'string' && id !== '') return id;
    return invalid('invalidValue', `members[${index}].value must be the id of a user or group`);
  });
}

/** The attributes of an object by their names in lower case. */
export function attributesOf(value: unknown): Map<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return invalid('invalidSyntax', 'The value must be an object of attributes');
  }
  return new Map(Object.entries(value).map(([name, inner]) => [attributeOf(name), inner]));
}
