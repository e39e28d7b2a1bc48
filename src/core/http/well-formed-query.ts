import type { NextFunction, Request, Response } from 'express';
import { InvalidRequest } from '../problems/problem.js';

/** Rejects a query that is not percent-encoded UTF-8: Express would silently decode it to different text. */
export function wellFormedQuery({ url }: Request, _response: Response, next: NextFunction): void {
  const query = url.slice(url.indexOf('?') + 1);
  if (!query.includes('%') || query === url) {
    next();
    return;
  }
  try {
    decodeURIComponent(query);
    next();
  } catch {
    next(new InvalidRequest([{ pointer: '', detail: 'the query is not percent-encoded UTF-8' }]));
  }
}
