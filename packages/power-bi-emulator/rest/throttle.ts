import type { RequestHandler } from 'express';
import { principalOf } from '../core/locals.js';
import type { Limit } from '../core/limits.js';
import type { Emulator } from '../emulator.js';
import type { Principal } from './bearer.js';
import { operationOf } from './operations.js';
import { PowerBiError } from './power-bi-error.js';

interface DocumentedLimit {
  method: string;
  path: RegExp;
  perHour: number;
  perMinute?: number;
}

/** Microsoft's published limits of single operations, most specific first. */
const documentedLimits: DocumentedLimit[] = [
  { method: 'GET', path: /^\/admin\/groups$/, perHour: 50, perMinute: 15 },
  { method: 'GET', path: /^\/admin\/(reports|datasets|dashboards)$/, perHour: 50, perMinute: 5 },
  { method: 'POST', path: /^\/admin\/workspaces\/getInfo$/, perHour: 500 },
  { method: 'GET', path: /^\/admin\/workspaces\/scanStatus\//, perHour: 10_000 },
  { method: 'GET', path: /^\/admin\/workspaces\/scanResult\//, perHour: 500 },
  { method: 'GET', path: /^\/admin\/workspaces\/modified$/, perHour: 30 },
  { method: 'GET', path: /^\/admin\//, perHour: 200 },
  { method: 'POST', path: /^\/admin\//, perHour: 200 },
  { method: 'PATCH', path: /^\/admin\//, perHour: 200 },
  { method: 'DELETE', path: /^\/admin\//, perHour: 200 },
  { method: 'POST', path: /\/executeQueries$/, perHour: 7200, perMinute: 120 },
  { method: 'POST', path: /^\/RefreshUserPermissions$/, perHour: 1 },
];

/** Responds with 429 when a principal exceeds its overall limit or the limit of an operation. */
export function throttle(emulator: Emulator): RequestHandler {
  return (request, response, next) => {
    const whose = budgetOf(emulator, principalOf(response));
    const {
      throttle_per_minute: perMinute,
      throttle_burst: most,
      documented_limits: documented,
    } = emulator.settings;
    const isFree =
      perMinute === null ||
      emulator.limits.take([{ key: `burst ${whose}`, most, seconds: Infinity }]) === null;
    const wait = emulator.limits.take([
      ...(isFree ? [] : [{ key: `all ${whose}`, most: perMinute, seconds: 60 }]),
      ...(documented ? limitsOf(request.method, request.path, whose) : []),
    ]);
    if (wait !== null) throw tooMany(emulator, wait);
    next();
  };
}

function limitsOf(method: string, path: string, whose: string): Limit[] {
  const operation = documentedLimits.find((each) => each.method === method && each.path.test(path));
  if (!operation) return [];
  // Limits of admin calls apply to the tenant and are shared by all its tools.
  const isAdmin = path.startsWith('/admin/');
  const name = (isAdmin && operationOf(method, path)?.id) || operation.path.source;
  const key = `${method} ${name} ${isAdmin ? 'tenant' : whose}`;
  const { perHour, perMinute = perHour } = operation;
  return [
    { key: `minute ${key}`, most: perMinute, seconds: 60 },
    { key: `hour ${key}`, most: perHour, seconds: 3600 },
  ];
}

function budgetOf(emulator: Emulator, { clientId, profile }: Principal): string {
  return emulator.guess('profile_throttling') === 'separate' ? `${clientId}/${profile ?? ''}` : clientId;
}

function tooMany(emulator: Emulator, wait: number): PowerBiError {
  const message =
    'You have exceeded the amount of requests allowed in the current time frame and further requests will fail. ' +
    `Retry in ${wait} seconds.`;
  const bodies = {
    coded: { error: { code: 'TooManyRequests', message } },
    message_only: { message },
    empty: undefined,
  };
  return new PowerBiError(429, bodies[emulator.guess('throttled_body')], { 'Retry-After': String(wait) });
}
