import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request, Response } from 'express';
import { InvalidRequest } from '../core/problems/problem.js';
import { position } from './dto/list-events.dto.js';

export const EVENT_STREAM = 'text/event-stream';

export interface StreamRequest {
  request: Request;
  response: Response;
  /** From `Last-Event-ID`. */
  lastEventId: number | undefined;
}

/** Throws InvalidRequest. */
function lastEventIdOf({ headers }: Request): number | undefined {
  const given = headers['last-event-id'];
  if (given === undefined) return undefined;
  const value = position({ value: given });
  if (typeof value === 'number') return value;
  throw new InvalidRequest([
    { pointer: '/Last-Event-ID', detail: 'Last-Event-ID must be the id of an event of this stream' },
  ]);
}

/** The stream that the client prefers by its `Accept` header; null for JSON. */
export const RequestedStream = createParamDecorator(
  (_: unknown, context: ExecutionContext): StreamRequest | null => {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const isStream =
      request.method === 'GET' && request.accepts(['application/json', EVENT_STREAM]) === EVENT_STREAM;
    if (!isStream) return null;
    return { request, response: http.getResponse<Response>(), lastEventId: lastEventIdOf(request) };
  },
);
