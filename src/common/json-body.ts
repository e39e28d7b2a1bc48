import express, { type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import { Problem } from './problem.js';

const hasBody = ({ headers }: Request): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** A body is JSON or a 415, never silently nothing. */
function requireJson(request: Request, _response: Response, next: NextFunction): void {
  if (hasBody(request) && !request.is('application/json')) {
    next(new Problem('unsupported_media_type', 'Send the body as application/json.'));
  } else next();
}

/** Sign-in bodies are small; nothing is inflated, so a body is as large as it says. */
export function jsonBody(): RequestHandler[] {
  const [small, ordinary] = [
    express.json({ limit: '16kb', inflate: false }),
    express.json({ limit: '100kb', inflate: false }),
  ];
  return [
    requireJson,
    (request, response, next) => {
      if (request.path.startsWith('/api/auth/')) small(request, response, next);
      else ordinary(request, response, next);
    },
  ];
}
