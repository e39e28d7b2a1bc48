import type { IncomingMessage } from 'node:http';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { Problem, problem } from '../problems/problem.js';

export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Throws on invalid UTF-8 and strips a byte order mark. */
const utf8 = new TextDecoder('utf-8', { fatal: true });
const charset = /;\s*charset\s*=\s*"?([^";\s]*)/i;

class PayloadTooLarge extends problem(
  'payload_too_large',
  'The body exceeds the size limit of this route.',
) {}

class MalformedJson extends Problem {
  constructor(detail: string, cause?: unknown) {
    super('malformed_json', detail, { cause });
  }
}

const refuse = (detail: string): never => {
  throw new Problem('unsupported_media_type', detail);
};

function requireIdentity(request: Request): void {
  if ((request.get('content-encoding') ?? 'identity').toLowerCase() !== 'identity') {
    refuse('Send the body without a content encoding.');
  }
}

/** Accepts only uncompressed JSON in UTF-8 and rejects any other body instead of silently ignoring it. Throws Problem. */
function requireJson(request: Request, types: string[]): void {
  if (!request.is(types)) refuse(`Send the body as ${types.join(' or ')}.`);
  requireIdentity(request);
  const name = charset.exec(request.get('content-type') ?? '')?.[1]?.toLowerCase() ?? 'utf-8';
  if (name === 'utf-8' || name === 'utf8') return;
  if (name.startsWith('utf')) throw new MalformedJson('Send the body as UTF-8.');
  refuse('Send the body as UTF-8.');
}

/**
 * Rejects as soon as the body exceeds the limit, and stops reading. Throws PayloadTooLarge, or Problem if the body is
 * incomplete.
 */
function read(request: Request, limit: number): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > limit) return Promise.reject(new PayloadTooLarge());
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const chunks: Buffer[] = [];
  let size = 0;
  const onData = (chunk: Buffer): void => {
    size += chunk.length;
    if (size > limit) reject(new PayloadTooLarge());
    else chunks.push(chunk);
  };
  const onEnd = (): void => resolve(Buffer.concat(chunks));
  const onCut = (): void => {
    reject(new Problem('malformed_request', 'The body is incomplete.'));
  };
  request.on('data', onData).once('end', onEnd).once('error', onCut).once('close', onCut);
  return promise.finally(() => {
    request.off('data', onData).off('end', onEnd).off('close', onCut);
  });
}

function parse(bytes: Buffer): object {
  if (bytes.length === 0) return {};
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch (cause) {
    throw new MalformedJson('The body is not valid UTF-8.', cause);
  }
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value;
  } catch (cause) {
    throw new MalformedJson('The body could not be parsed as JSON.', cause);
  }
  throw new MalformedJson('The body must be a JSON object or array.');
}

/** Reads a body (`hasBody`) of at most `limit` bytes as it is, whatever its type; encoded bodies are rejected. */
export const binaryBody =
  (limit: number): RequestHandler =>
  async (request: Request, _response: Response, next: NextFunction): Promise<void> => {
    requireIdentity(request);
    request.body = await read(request, limit);
    next();
  };

/** Parses a body (`hasBody`) of at most `limit` bytes and of one of these media types. Nothing is decompressed. */
export const jsonBody =
  (limit: number, types = ['application/json']): RequestHandler =>
  async (request: Request, _response: Response, next: NextFunction): Promise<void> => {
    requireJson(request, types);
    request.body = parse(await read(request, limit));
    next();
  };
