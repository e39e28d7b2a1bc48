import { isUuid } from '../core/validation/text.js';

export const isId = (value: unknown): value is string => typeof value === 'string' && isUuid(value);

/**
 * Validates an id for use in a path or header. Throws TypeError: a malformed id here is a defect, not a caller's
 * mistake.
 */
export function checkedId(id: string): string {
  if (!isId(id)) throw new TypeError('a Power BI id must be a UUID');
  return id;
}
