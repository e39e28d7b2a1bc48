import type { NextFunction, Request, Response } from 'express';
import { Problem } from '../problems/problem.js';

const MAX_HEADERS = 100;
const MAX_URL_BYTES = 4096;

/** Duplicates are ambiguous: Node uses the first, a proxy in front may use the last. */
const single = new Set(['authorization', 'content-type', 'host']);
const met = /(?:^|\W)100-continue(?:$|\W)/i;

const malformed = (detail: string): Problem => new Problem('malformed_request', detail);

function requireSingleHeaders({ rawHeaders, httpVersion }: Request): void {
  const seen = new Set<string>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] as string).toLowerCase();
    if (!single.has(name)) continue;
    if (seen.has(name)) throw malformed(`The header ${name} is sent more than once.`);
    seen.add(name);
  }
  if (httpVersion === '1.1' && !seen.has('host')) throw malformed('The header host is missing.');
}

/** Enforces limits that Node applies only to the total size, or by silently dropping the excess. Throws Problem. */
export function enforceRequestLimits(request: Request, response: Response, next: NextFunction): void {
  const { expect } = request.headers;
  if (request.originalUrl.length > MAX_URL_BYTES) {
    throw new Problem('uri_too_long', `The path and query exceed ${MAX_URL_BYTES} characters.`);
  }
  if (request.rawHeaders.length > 2 * MAX_HEADERS) {
    throw new Problem('header_too_large', `The request has more than ${MAX_HEADERS} headers.`);
  }
  try {
    requireSingleHeaders(request);
  } catch (error) {
    // The start of the next request on this connection cannot be trusted either.
    response.setHeader('Connection', 'close');
    throw error;
  }
  if (expect !== undefined && !met.test(expect)) {
    throw new Problem('expectation_failed', 'The only supported expectation is 100-continue.');
  }
  next();
}
