import { t } from 'i18next';

/** One attribute while it is edited: two may have the same name for a moment. */
export interface AttributeRow {
  key: number;
  name: string;
  value: string;
}

/** The limits of the service: `src/users/user-attributes.ts`. */
export const MAX_ATTRIBUTES = 50;
const allowed = /^[A-Za-z0-9_-]{1,64}$/;

let count = 0;

export const rowOf = (name = '', value = ''): AttributeRow => ({ key: (count += 1), name, value });

export const rowsOf = (attributes: Record<string, string>): AttributeRow[] =>
  Object.entries(attributes).map(([name, value]) => rowOf(name, value));

export const attributesOf = (rows: readonly AttributeRow[]): Record<string, string> =>
  Object.fromEntries(rows.map(({ name, value }) => [name, value]));

type Attributes = Readonly<Record<string, string>>;

/** The attributes as they are now, with what was changed: another admin may have changed others. */
export function withChanges(now: Attributes, before: Attributes, after: Attributes): Record<string, string> {
  const kept = Object.entries(now).filter(
    ([name]) => !Object.hasOwn(before, name) || Object.hasOwn(after, name),
  );
  const set = Object.entries(after).filter(
    ([name, value]) => !Object.hasOwn(before, name) || before[name] !== value,
  );
  return Object.fromEntries([...kept, ...set]);
}

/** Errors by the path of the field. */
export function wrongRows(rows: readonly AttributeRow[]): Record<string, string> {
  const errors: Record<string, string> = {};
  const names = rows.map(({ name }) => name);
  for (const [index, name] of names.entries()) {
    if (!allowed.test(name)) errors[`rows.${index}.name`] = t('Use up to 64 letters, digits, _ and -');
    else if (names.indexOf(name) < index) errors[`rows.${index}.name`] = t('This name is already in use');
  }
  return errors;
}
