/** One attribute while it is edited: two may have the same name for a moment. */
export interface AttributeRow {
  key: number;
  name: string;
  value: string;
}

/** As the service says: `src/users/user-attributes.ts`. */
export const MAX_ATTRIBUTES = 50;
const allowed = /^[A-Za-z0-9_-]{1,64}$/;

let count = 0;

export const rowOf = (name = '', value = ''): AttributeRow => ({ key: (count += 1), name, value });

export const rowsOf = (attributes: Record<string, string>): AttributeRow[] =>
  Object.entries(attributes).map(([name, value]) => rowOf(name, value));

export const attributesOf = (rows: readonly AttributeRow[]): Record<string, string> =>
  Object.fromEntries(rows.map(({ name, value }) => [name, value]));

/** What is wrong, by the path of the field. */
export function wrongRows(rows: readonly AttributeRow[]): Record<string, string> {
  const errors: Record<string, string> = {};
  const names = rows.map(({ name }) => name);
  for (const [index, name] of names.entries()) {
    if (!allowed.test(name)) errors[`rows.${index}.name`] = 'Letters, digits, _ and -, at most 64';
    else if (names.indexOf(name) < index) errors[`rows.${index}.name`] = 'There is one of this name already';
  }
  return errors;
}
