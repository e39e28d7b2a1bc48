import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { ValidateBy } from 'class-validator';
import { canonicalDomain } from '../validation/email-address.js';
import { isAttributeName, isAttributeValue } from '../validation/text.js';

export const isTextList = (value: unknown): boolean =>
  Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'string' && item !== '');

export const isValueOrClaim = (value: unknown): boolean =>
  isAttributeValue(value) ||
  (typeof value === 'object' &&
    value !== null &&
    Object.keys(value).join() === 'claim' &&
    typeof (value as { claim: unknown }).claim === 'string');

export const EachValue = (holds: (value: unknown) => boolean, message: string): PropertyDecorator =>
  ValidateBy({
    name: 'eachValue',
    validator: {
      validate: (value: unknown) =>
        typeof value === 'object' && value !== null && Object.values(value).every(holds),
      defaultMessage: () => `$property ${message}`,
    },
  });

export const HasAttributeNames = (): PropertyDecorator =>
  ValidateBy({
    name: 'hasAttributeNames',
    validator: {
      validate: (value: unknown) =>
        typeof value === 'object' && value !== null && Object.keys(value).every(isAttributeName),
      defaultMessage: () => '$property must use attribute names of 1 to 64 letters, digits, _ and -',
    },
  });

const canonical = (domain: unknown): unknown =>
  typeof domain === 'string' ? canonicalDomain(domain) : domain;

/** Domains of addresses, which it converts to the form that addresses contain. */
export const IsDomains = (): PropertyDecorator =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) => (Array.isArray(value) ? value.map(canonical) : value)),
    ValidateBy({
      name: 'isDomains',
      validator: {
        validate: isTextList,
        defaultMessage: () => '$property must be domains such as contoso.com, without @ and *',
      },
    }),
  );
