import type { NextFunction, Request, Response } from 'express';
import { Problem } from '../common/problem.js';

const MAX_HEADERS = 100;
const MAX_URL_BYTES = 4096;

/** What Node bounds only together with everything else, or by leaving out the rest without a word. */
export function boundRequest(request: Request, _response: Response, next: NextFunction): void {
  if (request.originalUrl.length > MAX_URL_BYTES) {
    throw new Problem('uri_too_long', `Path and query have more than ${MAX_URL_BYTES} characters.`);
  }
  if (request.rawHeaders.length > 2 * MAX_HEADERS) {
    throw new Problem('header_too_large', `There are more than ${MAX_HEADERS} headers.`);
  }
  next();
}
