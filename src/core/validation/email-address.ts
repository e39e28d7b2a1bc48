import { domainToASCII } from 'node:url';
import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '#openapi';
import { Transform } from 'class-transformer';
import { isEmail, isFQDN, type ValidationOptions } from 'class-validator';
import { isText } from './text.js';
import { Satisfies } from './validators.js';

/** Returns the canonical form for storage and comparison: NFKC, lower case, domain in ASCII. */
export function canonicalEmail(email: string): string {
  const text = email.normalize('NFKC').trim().toLowerCase();
  const at = text.lastIndexOf('@');
  if (at === -1) return text;
  return `${text.slice(0, at)}@${domainToASCII(text.slice(at + 1))}`;
}

/** The form in which addresses contain a domain. Empty for text that is no domain. */
export function canonicalDomain(text: string): string {
  const domain = domainToASCII(text.normalize('NFKC').trim().toLowerCase());
  return isFQDN(domain, { require_tld: false }) ? domain : '';
}

/** Around an address in mail programs and documents. */
const quotes = `"'\u2018\u2019\u201a\u201c\u201d\u201e\u00ab\u00bb`;
const around = new RegExp(`^[<${quotes}]+|[>${quotes}]+$`, 'g');
/** Longer text is no address, and is not searched for these. */
const MAX_PASTED = 400;
const withoutWidth = /[\u00ad\u200b-\u200f\u2060-\u2064\ufeff]/g;

/**
 * Removes what surrounds a pasted address: `mailto:`, quotes, angle brackets, characters without a width and a final dot. Only
 * for input of users: claims of an identity provider are taken as they are.
 */
export function cleanAddress(text: string): string {
  if (text.length > MAX_PASTED) return text;
  const plain = text.replaceAll(withoutWidth, '').trim();
  const address = plain.replaceAll(around, '').replace(/^mailto:([^?]*).*$/is, '$1');
  return address.trim().replace(/\.$/, '');
}

/** Unique address for an account that has none, in a reserved domain that can never receive mail (RFC 2606). */
export const placeholderEmail = (id: string, why: 'service' | 'erased'): string => `${id}@${why}.invalid`;

const isPlaceholder = (email: string): boolean => /@(service|erased)\.invalid$/.test(email);

const MAX_EMAIL = 254;

/** One plain address of at most 254 characters: no display name, no quotes, no comments. */
export const isEmailAddress = (value: unknown): value is string =>
  isText(value) &&
  value.length <= MAX_EMAIL &&
  !value.includes('"') &&
  !isPlaceholder(canonicalEmail(value)) &&
  isEmail(canonicalEmail(value), { allow_utf8_local_part: false, require_tld: false });

export const IsEmailAddress = (options?: ValidationOptions): PropertyDecorator =>
  applyDecorators(
    ApiProperty({ maxLength: MAX_EMAIL }),
    Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? cleanAddress(value) : value)),
    Satisfies('isEmailAddress', isEmailAddress, '$property must be a single email address', options),
  );
