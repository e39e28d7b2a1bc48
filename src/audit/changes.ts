export type Changes = Record<string, { from: unknown; to: unknown }>;

/** What differs, as `{field: {from, to}}`, for the details of an event. Name no field that holds a secret. */
export function changesOf<T extends object>(
  before: T,
  after: Partial<T>,
  fields: readonly (keyof T)[],
): Changes {
  const changed = fields.filter(
    (field) => after[field] !== undefined && JSON.stringify(before[field]) !== JSON.stringify(after[field]),
  );
  return Object.fromEntries(
    changed.map((field) => [
      String(field).replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      { from: before[field], to: after[field] },
    ]),
  );
}
