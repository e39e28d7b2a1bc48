import type { Writable } from 'node:stream';
import type { DestinationStream } from 'pino';
import { emit } from './telemetry-events.js';

/** What a reader that does not read may cost: what comes after is dropped, and counted. */
const MAX_BYTES = 8 * 1024 * 1024;

/**
 * Standard output by way of the event loop. Pino's own destination writes to the descriptor: a pipe that nobody empties
 * would hold up every request, or, behind their backs, a thread that the process waits for at its end.
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
        // A file on a disk that is full.
        emit('log_failed', { reason: 'error' });
      }
    },
  };
}

let opened: DestinationStream | undefined;

/** One for the process. */
export const logDestination = (): DestinationStream => (opened ??= logTo(process.stdout));
