import type { Writable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import type { DestinationStream } from 'pino';
import { emit } from './telemetry-events.js';
import { Logger, type Params } from 'nestjs-pino';
import type { Options } from 'pino-http';
import { requestContext } from '../http/request-context.js';

/**
 * JSON, one line per request without body, query or headers, because these carry secrets. `http/request-pipeline.ts`
 * writes the line: pino-http would create a logger per request and miss responses that are sent before routing.
 */
export const loggerOptions = (level: string): Params => ({
  forRoutes: [],
  pinoHttp: [logOptions(level), logDestination()],
});

const logOptions = (level: string): Options => ({
  level,
  mixin: () => {
    const context = requestContext();
    return context === undefined ? {} : { request_id: context.requestId, trace_id: context.traceId };
  },
  redact: [
    '*.password',
    '*.token',
    '*.secret',
    '*.authorization',
    'err.body',
    'err.config',
    'err.parameters',
    'err.query',
  ],
});

/** Buffer limit in bytes when the consumer of the log stops reading: further lines are dropped and counted. */
const MAX_BYTES = 8 * 1024 * 1024;

/**
 * Writes the log through the event loop. Pino's own destination writes to the descriptor: a pipe that is not drained
 * would block every request or, with a worker thread, the exit of the process.
 */
export function logTo(output: Writable): DestinationStream {
  output.on('error', () => emit('log_failed', { reason: 'error' }));
  return {
    write(line: string): void {
      if (output.writableLength > MAX_BYTES || !output.writable) {
        emit('log_failed', { reason: 'dropped' });
        return;
      }
      try {
        output.write(line);
      } catch {
        // For example a file on a full disk.
        emit('log_failed', { reason: 'error' });
      }
    },
  };
}

let opened: DestinationStream | undefined;

/** One per process. */
export const logDestination = (): DestinationStream => (opened ??= logTo(process.stdout));

/** Contexts in which Nest reports each module, controller and route: over a hundred lines per startup. */
const framework = new Set([
  'InstanceLoader',
  'NestApplication',
  'NestFactory',
  'RouterExplorer',
  'RoutesResolver',
]);

/** Logger of the service. Framework messages at `info` are logged at `debug`, because they only help to debug a startup. */
@Injectable()
export class ServiceLogger extends Logger {
  override log(message: unknown, ...rest: unknown[]): void {
    const context = rest.at(-1);
    if (typeof context === 'string' && framework.has(context)) super.debug(message, ...rest);
    else super.log(message, ...rest);
  }
}
