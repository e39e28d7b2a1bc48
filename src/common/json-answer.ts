import { hash } from 'node:crypto';
import type { Response } from 'express';

export const etagOf = (text: string): string => `"${hash('sha256', text, 'base64url')}"`;

/**
 * Writes JSON that is text already, as one string to the socket: Express makes a buffer of it, which is a second write,
 * and an ETag, which only a GET has any use for. Whoever has it already gets a 304.
 */
export function sendJson(response: Response, text: string, etag?: string): void {
  const { req: request } = response;
  if (request.method === 'GET' || request.method === 'HEAD') {
    if (!response.hasHeader('ETag')) response.setHeader('ETag', etag ?? etagOf(text));
    if (request.fresh) {
      response.removeHeader('Content-Type');
      response.status(304).end();
      return;
    }
  }
  if (!response.hasHeader('Content-Type')) {
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
  }
  response.setHeader('Content-Length', Buffer.byteLength(text));
  response.end(request.method === 'HEAD' ? undefined : text);
}
