import type { Router } from 'express';
import { operations as listed } from '../definition/operations.js';
import type { Emulator } from '../emulator.js';
import { restParts } from './rest-parts.js';

/** An operation of Microsoft's definition. */
export interface Operation {
  method: string;
  /** Below `/v1.0/myorg`, with `{names}` for its parameters. */
  path: string;
  id: string;
}

export const operations: Operation[] = listed.map((line) => {
  const [method, path, id] = line.split(' ') as [string, string, string];
  return { method, path, id };
});

/** The operations that have a route, in the order of the definition. */
export function servedOperations(emulator: Emulator): Operation[] {
  const served = new Set(servedRoutes(emulator).map(routeKey));
  return operations.filter((each) => served.has(routeKey(each)));
}

/** The routes below `/v1.0/myorg`. */
export function servedRoutes(emulator: Emulator): Omit<Operation, 'id'>[] {
  return Object.entries(restParts(emulator)).flatMap(([prefix, router]) => routesIn(router, prefix));
}

/** Operation of a request; undefined if the definition has none. `/datasets/new` precedes `/datasets/{id}`. */
export function operationOf(method: string, path: string): Operation | undefined {
  const plain = path.replace(/\/$/, '');
  return byShape.get(shapeOf(method, plain))?.find(({ pattern }) => pattern.test(plain))?.operation;
}

interface Candidate {
  operation: Operation;
  pattern: RegExp;
}

const byShape = new Map<string, Candidate[]>();
for (const operation of operations.toSorted((one, other) => parameterCount(one) - parameterCount(other))) {
  const shape = shapeOf(operation.method, operation.path);
  byShape.set(shape, [...(byShape.get(shape) ?? []), { operation, pattern: patternOf(operation) }]);
}

function shapeOf(method: string, path: string): string {
  return `${method} ${path.split('/').length}`;
}

function parameterCount({ path }: Operation): number {
  return path.split('{').length;
}

/** Like ASP.NET's, the routes are case-insensitive. */
function patternOf({ path }: Operation): RegExp {
  const literals = path.split(/\{\w+\}/).map((each) => each.replaceAll(/[.()]/g, String.raw`\$&`));
  return new RegExp(`^${literals.join('[^/]+?')}$`, 'i');
}

function routesIn({ stack }: Router, prefix: string): Omit<Operation, 'id'>[] {
  return stack.flatMap(({ route, handle }) => {
    if (route) {
      const methods = [...new Set(route.stack.map(({ method }) => method.toUpperCase()))];
      const paths: string[] = [route.path].flat();
      return paths.flatMap((path) => methods.map((method) => ({ method, path: `${prefix}${path}` })));
    }
    return 'stack' in handle ? routesIn(handle as unknown as Router, prefix) : [];
  });
}

/** Names of parameters differ between the definition and the routes. */
export function routeKey({ method, path }: Omit<Operation, 'id'>): string {
  return `${method} ${path
    .replaceAll(/\{\w+\}|:\w+/g, '{}')
    .replaceAll('\\', '')
    .toLowerCase()}`;
}
