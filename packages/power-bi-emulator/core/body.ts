import express, { type Request, type RequestHandler } from 'express';

/** Accepts any media type: the routes emulate Power BI's errors for unsupported ones. */
export const readBody: RequestHandler = express.raw({ type: () => true, limit: '64mb' });

/** The body as JSON or form fields; undefined when it is empty or malformed. */
export function bodyOf(request: Request): unknown {
  const text = textOf(request);
  if (text === '') return undefined;
  if (request.is('application/x-www-form-urlencoded')) return Object.fromEntries(new URLSearchParams(text));
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function textOf(request: Request): string {
  return Buffer.isBuffer(request.body) ? request.body.toString('utf8') : '';
}
