const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export const isId = (value: unknown): value is string => typeof value === 'string' && uuid.test(value);

/** The id as a piece of a path or a header. Anything but a UUID is a mistake of ours, not of a caller. */
export function checkedId(id: string): string {
  if (!isId(id)) throw new TypeError('an id of Power BI must be a UUID');
  return id;
}
