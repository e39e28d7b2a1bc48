import { randomBytes } from 'node:crypto';
import { Webhook as Signer } from 'standardwebhooks';

/** Receivers may reject larger bodies. */
const MAX_BYTES = 20_000;

/** The content of one delivery: an event, or a ping. */
export interface WebhookMessage {
  /** The `webhook-id`, the same in every attempt. */
  id: string;
  type: string;
  at: Date;
  data: object;
}

export const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

/** The same bytes in every attempt. Data that exceed the limit are left out. */
export function bodyOf({ type, at, data }: WebhookMessage): string {
  const body = JSON.stringify({ type, timestamp: at, data });
  if (Buffer.byteLength(body) < MAX_BYTES) return body;
  return JSON.stringify({ type, timestamp: at, data: { truncated: true } });
}

/** Standard Webhooks 1.0.0: one signature for each live secret, separated by spaces. `at` is the time of the attempt. */
export function signedHeaders(
  id: string,
  body: string,
  secrets: readonly string[],
  at: Date,
): Record<string, string> {
  const signatures = secrets.map((secret) => new Signer(secret).sign(id, at, body));
  return {
    'content-type': 'application/json',
    'user-agent': 'Vitrine-Webhooks',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': signatures.join(' '),
  };
}
