import { randomUUID } from 'node:crypto';
import type { Clock } from '../core/clock.js';

/** A refusal of the token endpoint; the numbers are Microsoft's. */
export class EntraError extends Error {
  constructor(
    readonly error: string,
    readonly number: number,
    message: string,
  ) {
    super(message);
  }

  toBody(clock: Clock, correlationId: string | undefined): Record<string, unknown> {
    const traceId = randomUUID();
    const correlation = correlationId ?? randomUUID();
    const timestamp = `${clock.now().toISOString().slice(0, 19).replace('T', ' ')}Z`;
    return {
      error: this.error,
      error_description:
        `AADSTS${this.number}: ${this.message} Trace ID: ${traceId} ` +
        `Correlation ID: ${correlation} Timestamp: ${timestamp}`,
      error_codes: [this.number],
      timestamp,
      trace_id: traceId,
      correlation_id: correlation,
      error_uri: `https://login.microsoftonline.com/error?code=${this.number}`,
    };
  }
}
