import { domainToASCII } from 'node:url';
import { isEmail, ValidateBy, type ValidationOptions } from 'class-validator';
import { isText } from './text.js';

/** Returns the canonical form for storage and comparison: NFKC, lower case, domain in ASCII. */
export function canonicalEmail(email: string): string {
  const text = email.normalize('NFKC').trim().toLowerCase();
  const at = text.lastIndexOf('@');
  if (at === -1) return text;
  return `${text.slice(0, at)}@${domainToASCII(text.slice(at + 1))}`;
}

/** Unique address for an account that has none, in a reserved domain that can never receive mail (RFC 2606). */
export const placeholderEmail = (id: string, why: 'service' | 'erased'): string => `${id}@${why}.invalid`;

const isPlaceholder = (email: string): boolean => /@(service|erased)\.invalid$/.test(email);

/** One plain address of at most 254 characters: no display name, no quotes, no comments. */
export const isEmailAddress = (value: unknown): value is string =>
  isText(value) &&
  value.length <= 254 &&
  !value.includes('"') &&
  !isPlaceholder(canonicalEmail(value)) &&
  isEmail(canonicalEmail(value), { allow_utf8_local_part: false, require_tld: false });

export const IsEmailAddress = (options?: ValidationOptions): PropertyDecorator =>
  ValidateBy(
    {
      name: 'isEmailAddress',
      validator: {
        validate: isEmailAddress,
        defaultMessage: () => '$property must be a single email address',
      },
    },
    options,
  );
