import { ValidateBy } from 'class-validator';
import { isText } from '../common/validators.js';

const name = /^[A-Za-z0-9_-]{1,64}$/;

const isAttribute = ([key, value]: [string, unknown]): boolean =>
  name.test(key) && key !== '__proto__' && isText(value) && (value as string).length <= 256;

const isUserAttributes = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.keys(value).length <= 50 &&
  Object.entries(value).every(isAttribute);

/** At most 50 texts of at most 256 characters, by names of letters, digits, `_` and `-`. */
export const IsUserAttributes = (): PropertyDecorator =>
  ValidateBy({
    name: 'isUserAttributes',
    validator: {
      validate: isUserAttributes,
      defaultMessage: () =>
        '$property must be at most 50 texts of at most 256 characters, by names of letters, digits, _ and -',
    },
  });
