import type { IncomingMessage, ServerResponse } from 'node:http';
import { emit } from '../telemetry/telemetry-events.js';
import { problem, problemBody } from '../problems/problem.js';
import { problemCatalogue } from '../problems/problem-catalogue.js';
import { exposedHeaders } from './exposed-headers.js';
import { methodOf } from './request-timing.js';
import { idOf } from './request-context.js';
import { pathOf } from './probes.js';

const RETRY_SECONDS = 1;
const DETAIL = 'Try again in a moment.';

export class Overloaded extends problem('overloaded', DETAIL, { retryAfter: RETRY_SECONDS }) {}

const { status } = problemCatalogue.overloaded;

interface Refusal {
  corsOrigins: readonly string[];
  /** Headers that every response has. */
  headers: Readonly<Record<string, string>>;
  isLast: boolean;
}

/** Bypasses the regular request pipeline: under load, the cost of rejections reduces the capacity for useful responses. */
export function rejectOverloaded(
  request: IncomingMessage,
  response: ServerResponse,
  { corsOrigins, headers, isLast }: Refusal,
): void {
  const { origin } = request.headers;
  const mayRead = origin !== undefined && corsOrigins.includes(origin);
  const id = idOf(request);
  response.writeHead(status, {
    ...headers,
    'Content-Type': 'application/problem+json',
    'Cache-Control': 'no-store',
    'Retry-After': String(RETRY_SECONDS),
    'X-Request-Id': id,
    ...(isLast && { Connection: 'close' }),
    ...(mayRead && {
      'Access-Control-Allow-Origin': origin,
      'Access-Control-Expose-Headers': exposedHeaders.join(','),
      Vary: 'Origin',
    }),
  });
  response.end(JSON.stringify(problemBody({ code: 'overloaded', detail: DETAIL }, pathOf(request), id)));
  emit('problem_sent', { code: 'overloaded' });
  emit('request_completed', { method: methodOf(request), route: 'none', status, seconds: 0 });
}
