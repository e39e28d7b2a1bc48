import type { Request, Response } from 'express';
import { Problem } from '../common/problem.js';
import { problemCatalogue } from '../common/problem-catalogue.js';
import { requestId } from '../common/request-context.js';

const RETRY_SECONDS = 1;
const DETAIL = 'Try again in a moment.';

export class Overloaded extends Problem {
  constructor() {
    super('overloaded', DETAIL, { retryAfter: RETRY_SECONDS });
  }
}

const { status, title } = problemCatalogue.overloaded;
const type = 'urn:vitrine:problem:overloaded';
const headers = {
  'Content-Type': 'application/problem+json',
  'Cache-Control': 'no-store',
  'Retry-After': String(RETRY_SECONDS),
  'Content-Security-Policy': "default-src 'none';frame-ancestors 'none'",
  'Strict-Transport-Security': 'max-age=31536000; includeSubDomains',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
};

/** Past everything that makes an ordinary answer: under load, what a refusal costs is taken from useful answers. */
export function turnAway(request: Request, response: Response, corsOrigins: readonly string[]): void {
  const { origin } = request.headers;
  const mayRead = origin !== undefined && corsOrigins.includes(origin);
  const body = { type, title, status, detail: DETAIL, instance: request.path, code: 'overloaded' };
  response.writeHead(status, {
    ...headers,
    ...(mayRead && { 'Access-Control-Allow-Origin': origin, Vary: 'Origin' }),
  });
  response.end(JSON.stringify({ ...body, request_id: requestId() }));
}
