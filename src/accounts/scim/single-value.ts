export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The attributes of an object by their names in lower case. */
export const lowered = (object: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(object).map(([name, inner]) => [name.toLowerCase(), inner]));

/** Microsoft Entra ID also sends a single value as an array of one. */
export const singleOf = (value: unknown): unknown =>
  Array.isArray(value) && value.length === 1 ? (value as unknown[])[0] : value;

/** The value of an attribute that has one, also in its complex form. Names ignore case. */
export function valueOf(given: unknown): unknown {
  const value = singleOf(given);
  return isObject(value) ? lowered(value).value : value;
}
