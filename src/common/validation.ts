import { ValidationPipe } from '@nestjs/common';
import type { ValidationError } from 'class-validator';
import { InvalidRequest, type InvalidValue } from './problem.js';

const escapePointer = (part: string): string => part.replaceAll('~', '~0').replaceAll('/', '~1');

/** Flattens nested validation errors to one line per value. */
export function invalidValues(errors: readonly ValidationError[], parent = ''): InvalidValue[] {
  return errors.flatMap((error) => {
    const pointer = `${parent}/${escapePointer(error.property)}`;
    const here = Object.values(error.constraints ?? {}).map((detail) => ({ pointer, detail }));
    return [...here, ...invalidValues(error.children ?? [], pointer)];
  });
}

/** Bodies and queries alike: unknown properties are refused by name, nothing is converted behind the reader's back. */
export const validationPipe = (): ValidationPipe =>
  new ValidationPipe({
    transform: true,
    whitelist: true,
    forbidNonWhitelisted: true,
    forbidUnknownValues: true,
    stopAtFirstError: true,
    validationError: { target: false, value: false },
    exceptionFactory: (errors) => new InvalidRequest(invalidValues(errors)),
  });
