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
export const jsonBody = (): RequestHandler[] => [
  requireJson,
  (request, response, next) => {
    const limit = request.path.startsWith('/api/auth/') ? '16kb' : '100kb';
    express.json({ limit, inflate: false })(request, response, next);
  },
];
