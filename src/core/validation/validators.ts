import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Matches, type ValidationOptions, ValidateBy, ValidateIf } from 'class-validator';
import { isExternalId, isName, isReadableText, isText, MAX_EXTERNAL_ID } from './text.js';

/** A string that PostgreSQL can hold: no NUL, no lone surrogate. For secrets and searches; people read IsReadableText. */
export const IsText = (options?: ValidationOptions): PropertyDecorator =>
  ValidateBy(
    {
      name: 'isText',
      validator: {
        validate: isText,
        defaultMessage: () => '$property must be text without NUL or lone surrogates',
      },
    },
    options,
  );

/** Text for people to read: on one line, visible, and displayed as it is stored. */
export const IsReadableText = (options?: ValidationOptions): PropertyDecorator =>
  ValidateBy(
    {
      name: 'isReadableText',
      validator: {
        validate: isReadableText,
        defaultMessage: () =>
          '$property must be visible text without control or bidirectional override characters',
      },
    },
    options,
  );

/** 1 to 200 readable characters, and no URL: names become part of mail. */
export const IsName = (options?: ValidationOptions): PropertyDecorator =>
  ValidateBy(
    {
      name: 'isName',
      validator: {
        validate: isName,
        defaultMessage: () =>
          '$property must be 1 to 200 printable characters, some of them visible, without ://',
      },
    },
    options,
  );

/** An id that another system issued. */
export const IsExternalId = (options?: ValidationOptions): PropertyDecorator =>
  ValidateBy(
    {
      name: 'isExternalId',
      validator: {
        validate: isExternalId,
        defaultMessage: () => `$property must be 1 to ${MAX_EXTERNAL_ID} printable characters`,
      },
    },
    options,
  );

/** A UUID of any version, in any case. */
export const IsId = (options?: ValidationOptions): PropertyDecorator =>
  Matches(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i, {
    message: '$property must be a UUID',
    ...options,
  });

/** May be left out, which is not the same as null. The documentation would demand what has a default. */
export const OptionalField = (): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional(),
    ValidateIf((_, value) => value !== undefined),
  );
