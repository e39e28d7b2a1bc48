import type { Clock } from './clock.js';

export interface Call {
  at: string;
  method: string;
  path: string;
  query: Record<string, unknown>;
  /** Absent while the request is pending, and permanently when the connection was dropped. */
  status?: number;
  /** Client id of the app. */
  principal?: string;
  profile?: string;
  /** User principal name, if the app acts for a user. */
  user?: string;
  body?: unknown;
}

const kept = 200_000;
const secrets = [
  'client_secret',
  'client_assertion',
  'password',
  'code',
  'code_verifier',
  'refresh_token',
  'device_code',
];

/** Calls to Power BI and Entra since the last reset; beyond 200,000 the oldest are dropped. */
export class CallLog {
  private entries: Call[] = [];

  constructor(private readonly clock: Clock) {}

  record(call: Omit<Call, 'at'>): Call {
    const entry = { at: this.clock.now().toISOString(), ...call, body: withoutSecrets(call.body) };
    if (this.entries.length >= kept) this.entries.splice(0, kept / 10);
    this.entries.push(entry);
    return entry;
  }

  list(): Call[] {
    return this.entries;
  }

  clear(): void {
    this.entries = [];
  }
}

function withoutSecrets(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, secrets.includes(name) ? '[redacted]' : value]),
  );
}
