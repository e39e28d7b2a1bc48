import type { Request } from 'express';
import type { Emulator } from '../emulator.js';
import { parseFilter, type Filter } from './odata-filter.js';
import { invalidRequest } from './power-bi-error.js';

const cluster = 'http://wabi-emulator-primary-redirect.analysis.windows.net/v1.0/myorg';

type Json = Record<string, unknown>;

export function collection(emulator: Emulator, of: string, value: Json[]): Json {
  return { ...context(emulator, `${cluster}/$metadata#${of}`), value };
}

export function entity(emulator: Emulator, of: string, value: Json): Json {
  return { ...context(emulator, `${cluster}/$metadata#${of}/$entity`), ...value };
}

/**
 * The items selected by `$filter`, `$skip` and `$top`. `$filter` may name the fields of any item and these optional
 * ones. Throws PowerBiError.
 */
export function selected<T extends object>(
  items: T[],
  query: Request['query'],
  most = Infinity,
  optional: readonly string[] = [],
): T[] {
  const filter = query.$filter === undefined ? undefined : parseFilter(text(query.$filter));
  if (filter) checkFields(filter, items, optional);
  const skip = count(query.$skip, '$skip') ?? 0;
  const top = Math.min(count(query.$top, '$top') ?? Infinity, most);
  return (filter ? items.filter(filter.test) : items).slice(skip, skip + top);
}

/** Without items the fields are unknown, and every filter has the same result. */
function checkFields({ fields }: Filter, items: object[], optional: readonly string[]): void {
  if (items.length === 0) return;
  const known = new Set([...optional, ...items.flatMap(fieldsOf)]);
  const unknown = fields.find((each) => !known.has(each));
  if (unknown !== undefined) throw invalidRequest(`Could not find a property named '${unknown}'`);
}

function fieldsOf(item: object): string[] {
  return Object.entries(item).flatMap(([name, value]) =>
    Array.isArray(value) ? [name, ...value.flatMap((each) => innerFields(name, each))] : [name],
  );
}

function innerFields(list: string, element: unknown): string[] {
  if (typeof element !== 'object' || element === null) return [];
  return Object.keys(element).map((name) => `${list}/${name}`);
}

function text(value: unknown): string {
  if (typeof value === 'string') return value;
  throw invalidRequest('The $filter expression is not valid.');
}

export function count(value: unknown, name: string): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'string' && /^\d{1,9}$/.test(value)) return Number(value);
  throw invalidRequest(`Parameter ${name} is missing or invalid`);
}

function context(emulator: Emulator, value: string): Json {
  return emulator.guess('odata_context') === 'absent' ? {} : { '@odata.context': value };
}
