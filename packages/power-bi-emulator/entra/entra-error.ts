import { randomUUID } from 'node:crypto';
import type { Emulator } from '../emulator.js';

/** An error of the token endpoint, with Microsoft's error numbers. */
export class EntraError extends Error {
  constructor(
    readonly error: string,
    readonly number: number,
    message: string,
  ) {
    super(message);
  }

  toBody(emulator: Emulator, correlationId: string | undefined): Record<string, unknown> {
    const numbered = emulator.guess('entra_error_numbers') === 'present';
    const ids = { trace_id: randomUUID(), correlation_id: correlationId ?? randomUUID() };
    const timestamp = `${emulator.clock.now().toISOString().slice(0, 19).replace('T', ' ')}Z`;
    return {
      error: this.error,
      error_description:
        `${numbered ? `AADSTS${this.number}: ` : ''}${this.message} Trace ID: ${ids.trace_id} ` +
        `Correlation ID: ${ids.correlation_id} Timestamp: ${timestamp}`,
      ...(numbered && { error_codes: [this.number] }),
      timestamp,
      ...ids,
      ...(numbered && { error_uri: `https://login.microsoftonline.com/error?code=${this.number}` }),
    };
  }
}
