import { type ArgumentMetadata, ValidationPipe } from '@nestjs/common';
import { getMetadataStorage, type MetadataStorage, type ValidationError } from 'class-validator';
import { InvalidRequest, type InvalidValue } from '../problems/problem.js';

export const escapePointer = (part: string): string => part.replaceAll('~', '~0').replaceAll('/', '~1');

type Rules = ReturnType<MetadataStorage['getTargetValidationMetadatas']>;

/**
 * Keeps the rules of each class: class-validator collects them for each value that it validates from those of all classes. The
 * service uses no groups, on which they could depend.
 */
function keepRules(storage: MetadataStorage): (target: Function) => Rules {
  const collect = storage.getTargetValidationMetadatas.bind(storage);
  const kept = new WeakMap<Function, Rules>();
  const rulesOf = (target: Function): Rules => {
    const rules = kept.get(target) ?? collect(target, '', false, false);
    kept.set(target, rules);
    return rules;
  };
  storage.getTargetValidationMetadatas = rulesOf;
  return rulesOf;
}

const rulesOf = keepRules(getMetadataStorage());

/** Property names that the target class validates. */
function knownNames(target: object | undefined): string[] {
  const rules = target === undefined ? [] : rulesOf(target.constructor);
  return [...new Set(rules.map(({ propertyName }) => propertyName))];
}

export const unknownName = (name: string, known: readonly string[]): string => {
  const supported = known.length > 0 ? `; supported: ${known.join(', ')}` : '';
  return `${name} is not supported${supported}`;
};

/** A body without this member; validators of an optional member do not run. */
const isMissing = ({ target, property }: ValidationError): boolean =>
  target !== undefined && (target as Record<string, unknown>)[property] === undefined;

/** One message per value: `constraints` ends with the decorator that is applied last, the first of the class, which names the type of the value. */
function detailsOf(error: ValidationError): string[] {
  const { constraints = {}, property, target } = error;
  const first = Object.entries(constraints).slice(-1);
  return first.map(([rule, detail]) => {
    if (rule === 'whitelistValidation') return unknownName(property, knownNames(target));
    return isMissing(error) ? `${property} is required` : detail;
  });
}

/** Flattens nested validation errors to one entry per value. */
export function invalidValues(errors: readonly ValidationError[], parent = ''): InvalidValue[] {
  return errors.flatMap((error) => {
    const pointer = `${parent}/${escapePointer(error.property)}`;
    const here = detailsOf(error).map((detail) => ({ pointer, detail }));
    return [...here, ...invalidValues(error.children ?? [], pointer)];
  });
}

/** Names that every object inherits, such as `constructor` and `__proto__`. */
const inherited = new Set(Object.getOwnPropertyNames(Object.prototype));

/** Deeper than any valid body. Validation is recursive, so unlimited depth could overflow the stack. */
const MAX_DEPTH = 20;
const TOO_DEEP = 'the value is nested too deeply';

/** Iterates level by level, because recursion could overflow the stack. */
function unknownNames(value: unknown, target?: object): InvalidValue[] {
  const found: InvalidValue[] = [];
  const inside: { pointer: string; depth: number; object: unknown }[] = [
    { pointer: '', depth: 0, object: value },
  ];
  for (const { pointer: parent, depth, object } of inside) {
    if (typeof object !== 'object' || object === null) continue;
    if (depth === MAX_DEPTH) return [{ pointer: parent, detail: TOO_DEEP }];
    for (const [name, child] of Object.entries(object)) {
      const pointer = `${parent}/${escapePointer(name)}`;
      inside.push({ pointer, depth: depth + 1, object: child });
      if (inherited.has(name))
        found.push({ pointer, detail: unknownName(name, depth === 0 ? knownNames(target) : []) });
    }
  }
  return found;
}

/** For code that reads a body recursively before it is validated. Throws InvalidRequest. */
export function requireShallow(body: unknown): void {
  const found = unknownNames(body).filter(({ detail }) => detail === TOO_DEEP);
  if (found.length > 0) throw new InvalidRequest(found);
}

/**
 * Rejects names that class-transformer and Nest would silently drop before validation. Leaves parameters of the path and
 * values of the service's own decorators to their own pipes.
 */
class StrictPipe extends ValidationPipe {
  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    const isParameter = metadata.type === 'param' && typeof value === 'string';
    if (isParameter || metadata.type === 'custom') return value;
    const found = unknownNames(value, metadata.metatype?.prototype as object | undefined);
    if (found.length > 0) throw new InvalidRequest(found);
    return super.transform(value, metadata);
  }
}

/** Validates bodies and queries: unknown properties are rejected by name, and types are not converted implicitly. */
export const validationPipe = (): ValidationPipe =>
  new StrictPipe({
    transform: true,
    whitelist: true,
    forbidNonWhitelisted: true,
    forbidUnknownValues: true,
    // The error messages list the known names; the target itself never leaves the service.
    validationError: { target: true, value: false },
    exceptionFactory: (errors) => new InvalidRequest(invalidValues(errors)),
  });
