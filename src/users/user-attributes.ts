import { isAttributeName, isAttributeValue, MAX_ATTRIBUTES } from '../core/validation/text.js';
import { Satisfies } from '../core/validation/validators.js';

const isUserAttributes = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.keys(value).length <= MAX_ATTRIBUTES &&
  Object.entries(value).every(([name, text]) => isAttributeName(name) && isAttributeValue(text));

/** Validates attributes: at most 50 single-line strings of up to 256 characters; names of letters, digits, `_` and `-`. */
export const IsUserAttributes = (): PropertyDecorator =>
  Satisfies(
    'isUserAttributes',
    isUserAttributes,
    '$property must be at most 50 single-line strings of at most 256 characters, with names of letters, digits, _ and -',
  );
