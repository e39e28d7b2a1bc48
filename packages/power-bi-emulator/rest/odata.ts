import type { Request } from 'express';
import type { Emulator } from '../emulator.js';
import { matcher } from './odata-filter.js';
import { invalidRequest } from './power-bi-error.js';

const cluster = 'http://wabi-emulator-primary-redirect.analysis.windows.net/v1.0/myorg';

type Json = Record<string, unknown>;

export function collection(emulator: Emulator, of: string, value: Json[]): Json {
  return { ...context(emulator, `${cluster}/$metadata#${of}`), value };
}

export function entity(emulator: Emulator, of: string, value: Json): Json {
  return { ...context(emulator, `${cluster}/$metadata#${of}/$entity`), ...value };
}

/** The items selected by `$filter`, `$skip` and `$top`. Throws PowerBiError. */
export function selected<T extends object>(items: T[], query: Request['query'], most = Infinity): T[] {
  const matches = query.$filter === undefined ? undefined : matcher(text(query.$filter));
  const skip = count(query.$skip, '$skip') ?? 0;
  const top = Math.min(count(query.$top, '$top') ?? Infinity, most);
  return (matches ? items.filter(matches) : items).slice(skip, skip + top);
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
