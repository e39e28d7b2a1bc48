import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request, Response } from 'express';
import { acceptedType } from '../../core/http/accepted-type.js';
import { InvalidRequest } from '../../core/problems/problem.js';
import { position } from './dto/event.dto.js';

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

/** The stream that the client prefers by its `Accept` header; null for JSON. Throws NotAcceptable, InvalidRequest. */
export const RequestedStream = createParamDecorator(
  (_: unknown, context: ExecutionContext): StreamRequest | null => {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const wanted = acceptedType(request, ['application/json', EVENT_STREAM]);
    // Nest serves HEAD with the handler of GET.
    if (wanted !== EVENT_STREAM || request.method !== 'GET') return null;
    return { request, response: http.getResponse<Response>(), lastEventId: lastEventIdOf(request) };
  },
);
