import { ValidationPipe } from '@nestjs/common';
import { getMetadataStorage, type ValidationError } from 'class-validator';
import { InvalidRequest, type InvalidValue } from './problem.js';

const escapePointer = (part: string): string => part.replaceAll('~', '~0').replaceAll('/', '~1');

/** What the class that the value was held against has. */
function knownNames(target: object | undefined): string[] {
  const constructor = target?.constructor;
  if (constructor === undefined) return [];
  const rules = getMetadataStorage().getTargetValidationMetadatas(constructor, '', true, false);
  return [...new Set(rules.map(({ propertyName }) => propertyName))];
}

/** One line is enough: the rule that stands first in the class, which says what kind of value it is. */
function detailsOf({ constraints = {}, property, target }: ValidationError): string[] {
  const first = Object.entries(constraints).slice(-1);
  return first.map(([rule, detail]) => {
    if (rule !== 'whitelistValidation') return detail;
    const known = knownNames(target);
    const instead = known.length > 0 ? `there is: ${known.join(', ')}` : 'nothing is expected here';
    return `${property} is not known here; ${instead}`;
  });
}

/** Flattens nested validation errors to one line per value. */
export function invalidValues(errors: readonly ValidationError[], parent = ''): InvalidValue[] {
  return errors.flatMap((error) => {
    const pointer = `${parent}/${escapePointer(error.property)}`;
    const here = detailsOf(error).map((detail) => ({ pointer, detail }));
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
    // For the names that there are; it stays in here.
    validationError: { target: true, value: false },
    exceptionFactory: (errors) => new InvalidRequest(invalidValues(errors)),
  });
