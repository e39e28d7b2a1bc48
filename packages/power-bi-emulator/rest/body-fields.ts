import { isObject } from '../core/is-object.js';
import { invalidRequest } from './power-bi-error.js';

type Fields = Record<string, unknown>;

/** The object in a field of a request body; empty without the field. Throws PowerBiError. */
export function objectIn(value: unknown, name: string): Fields {
  if (value === undefined || value === null) return {};
  if (!isObject(value)) throw invalidRequest(`Parameter ${name} is missing or invalid`);
  return value;
}

/** The objects in a list of a request body; none without the field. Throws PowerBiError. */
export function objectsIn(value: unknown, name: string): Fields[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value) || !value.every(isObject))
    throw invalidRequest(`Parameter ${name} is missing or invalid`);
  return value;
}

/** The texts in a list of a request body; none without the field. Throws PowerBiError. */
export function textsIn(value: unknown, name: string): string[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value) || !value.every((each) => typeof each === 'string'))
    throw invalidRequest(`Parameter ${name} is missing or invalid`);
  return value;
}
