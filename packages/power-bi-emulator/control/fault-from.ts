import type { Fault } from '../core/faults.js';
import { Refusal } from '../core/refusal.js';

const kinds: Record<keyof Fault, (value: unknown) => boolean> = {
  method: (value) => typeof value === 'string',
  path: isPattern,
  status: (value) => Number.isInteger(value) && Number(value) >= 200 && Number(value) <= 599,
  body: () => true,
  headers: (value) => typeof value === 'object' && value !== null,
  retry_after: isAmount,
  delay_ms: isAmount,
  hold: (value) => typeof value === 'boolean',
  hang: (value) => typeof value === 'boolean',
  reset: (value) => typeof value === 'boolean',
  times: isPositive,
  every: isPositive,
};

export function faultFrom(value: unknown): Fault {
  if (typeof value !== 'object' || value === null) throw new Refusal('a fault must be an object');
  const fault = value as Fault;
  if (fault.path === undefined) throw new Refusal('a fault requires a path (a regular expression)');
  for (const [name, each] of Object.entries(fault)) {
    const fits = Object.hasOwn(kinds, name) ? kinds[name as keyof Fault] : undefined;
    if (!fits)
      throw new Refusal(
        `unknown field of a fault: ${name}; expected one of ${Object.keys(kinds).join(', ')}`,
      );
    if (!fits(each)) throw new Refusal(`invalid value of ${name}: ${JSON.stringify(each)}`);
  }
  return fault;
}

/** A regular expression for paths; undefined matches every path. Throws Refusal. */
export function patternFrom(value: unknown): RegExp {
  if (value === undefined) return /^/;
  if (isPattern(value)) return new RegExp(value);
  throw new Refusal(`path must be a regular expression: ${JSON.stringify(value)}`);
}

function isPattern(value: unknown): value is string {
  if (typeof value !== 'string') return false;
  try {
    return Boolean(new RegExp(value));
  } catch {
    return false;
  }
}

function isPositive(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) > 0;
}

function isAmount(value: unknown): boolean {
  return typeof value === 'number' && value >= 0;
}
