import type { ScimSelectionQuery } from './scim-list.js';

/** Returned whatever the request selects. */
const always = new Set(['id', 'schemas', 'meta']);

const namesOf = (list: string | undefined): string[] | undefined =>
  list
    ?.split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '');

/** Whether the name is the attribute, a part of it, or its schema. */
const isNamed = (attribute: string, names: readonly string[]): boolean =>
  names.some((name) => {
    const plain = name.replace(/^urn:ietf:params:scim:schemas:core:2\.0:\w+:/, '');
    return (
      plain === attribute || (plain.startsWith(attribute) && /[.:[]/.test(plain.charAt(attribute.length)))
    );
  });

/** Whether a response contains this attribute, for one that is expensive to read. */
export function isSelected(attribute: string, query: ScimSelectionQuery): boolean {
  const name = attribute.toLowerCase();
  const [wanted, excluded] = [namesOf(query.attributes), namesOf(query.excludedAttributes)];
  if (always.has(name)) return true;
  if (wanted !== undefined && wanted.length > 0) return isNamed(name, wanted);
  return excluded === undefined || !excluded.some((each) => each === name || each.endsWith(`:${name}`));
}

/** Keeps the selected attributes of a resource (RFC 7644, section 3.9). */
export const selectAttributes = <T extends object>(resource: T, query: ScimSelectionQuery): Partial<T> =>
  Object.fromEntries(Object.entries(resource).filter(([name]) => isSelected(name, query))) as Partial<T>;
