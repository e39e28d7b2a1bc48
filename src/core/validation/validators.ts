import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '#openapi';
import { Transform } from 'class-transformer';
import ipaddr from 'ipaddr.js';
import {
  Matches,
  type ValidationArguments,
  type ValidationOptions,
  ValidateBy,
  ValidateIf,
} from 'class-validator';
import {
  isExternalId,
  isIpAddress,
  isName,
  isReadableText,
  isText,
  MAX_EXTERNAL_ID,
  MAX_NAME,
  storedUuid,
  withoutInvisible,
} from './text.js';

/** A validator of a property from a predicate. Its message is the default: `options` may replace it. */
export const Satisfies = (
  name: string,
  validate: (value: unknown, args?: ValidationArguments) => boolean,
  message: string,
  options?: ValidationOptions,
): PropertyDecorator => ValidateBy({ name, validator: { validate, defaultMessage: () => message } }, options);

/**
 * A string that PostgreSQL can store: no NUL, no lone surrogate. For secrets and search terms; displayed text uses
 * IsReadableText.
 */
export const IsText = (options?: ValidationOptions): PropertyDecorator =>
  Satisfies('isText', isText, '$property must be text without NUL or lone surrogates', options);

/** Text for display: on one line, visible, and displayed exactly as stored. */
export const IsReadableText = (options?: ValidationOptions): PropertyDecorator =>
  Satisfies(
    'isReadableText',
    isReadableText,
    '$property must be visible text without control or bidirectional override characters',
    options,
  );

/** 1 to 200 readable characters, and no URL: names appear in emails. Characters without effect are removed. */
export const IsName = (options?: ValidationOptions): PropertyDecorator =>
  applyDecorators(
    ApiProperty({ minLength: 1, maxLength: MAX_NAME }),
    Transform(({ value }: { value: unknown }) => (isText(value) ? withoutInvisible(value) : value)),
    Satisfies(
      'isName',
      isName,
      '$property must be 1 to 200 printable characters, at least one of them visible, without ://',
      options,
    ),
  );

/** An id issued by another system. */
export const IsExternalId = (options?: ValidationOptions): PropertyDecorator =>
  applyDecorators(
    ApiProperty({ minLength: 1, maxLength: MAX_EXTERNAL_ID }),
    Satisfies(
      'isExternalId',
      isExternalId,
      `$property must be 1 to ${MAX_EXTERNAL_ID} printable characters`,
      options,
    ),
  );

const lowerCase = (value: unknown): unknown => (typeof value === 'string' ? value.toLowerCase() : value);

/** A UUID of any version, in any case; it is compared and stored in lower case, as PostgreSQL writes it. */
export const IsId = (options?: ValidationOptions): PropertyDecorator =>
  applyDecorators(
    // Of the items, if the property is a list.
    ApiProperty({ format: 'uuid' }),
    Transform(({ value }: { value: unknown }) =>
      Array.isArray(value) ? value.map(lowerCase) : lowerCase(value),
    ),
    Matches(storedUuid, {
      message: '$property must be a UUID',
      ...options,
    }),
  );

/** An IP address, compared as a socket shows it: in lower case and shortened, a mapped IPv4 address as IPv4. */
export const IsIpAddress = (options?: ValidationOptions): PropertyDecorator =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) =>
      isIpAddress(value) ? ipaddr.process(value).toString() : value,
    ),
    Satisfies('isIpAddress', isIpAddress, '$property must be an IPv4 or IPv6 address', options),
  );

/** May be omitted, but not null. The OpenAPI plugin would mark a property with a default value as required. */
export const OptionalField = (): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional(),
    ValidateIf((_, value) => value !== undefined),
  );

/** Null is valid, too: the other validators of the property do not see it. */
export const Nullable = (): PropertyDecorator => ValidateIf((_, value) => value !== null);
