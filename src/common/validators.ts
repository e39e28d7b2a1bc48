import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Matches, type ValidationOptions, ValidateBy, ValidateIf } from 'class-validator';

export const isText = (value: unknown): boolean =>
  typeof value === 'string' && value.isWellFormed() && !value.includes('\0');

/** A string that PostgreSQL can hold: no NUL, no lone surrogate. */
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

const control = /[\p{Cc}\u202A-\u202E\u2066-\u2069]/u;

const isName = (value: unknown): boolean =>
  isText(value) && !control.test(value as string) && inLength((value as string).trim(), 1, 200);

const inLength = (text: string, min: number, max: number): boolean => {
  const { length } = [...text];
  return length >= min && length <= max;
};

/** 1 to 200 characters, none of them control or text-direction override characters. */
export const IsName = (options?: ValidationOptions): PropertyDecorator =>
  ValidateBy(
    {
      name: 'isName',
      validator: {
        validate: isName,
        defaultMessage: () => '$property must be 1 to 200 printable characters',
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
export const MayBeLeftOut = (): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional(),
    ValidateIf((_, value) => value !== undefined),
  );
