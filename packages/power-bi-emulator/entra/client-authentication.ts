import type { Request } from 'express';
import { bodyOf } from '../core/body.js';
import type { ServicePrincipal } from '../content/model.js';
import type { Emulator } from '../emulator.js';
import { checkAssertion } from './client-assertion.js';
import { clientOf } from './clients.js';
import { EntraError } from './entra-error.js';

export type Form = Record<string, string | undefined>;

/** The form of a token request. HTTP Basic takes precedence over its client fields. Throws EntraError. */
export function formOf(request: Request): Form {
  const form = textsOf(bodyOf(request));
  const [, encoded] = /^Basic +([\w+/=-]+)$/i.exec(request.get('authorization') ?? '') ?? [];
  if (encoded === undefined) return form;
  const [id, secret] = Buffer.from(encoded, 'base64').toString('utf8').split(/:(.*)/s);
  return { ...form, client_id: formDecoded(id), client_secret: formDecoded(secret) };
}

/** The fields of a form; a JSON body counts as one. Throws EntraError. */
export function textsOf(body: unknown): Form {
  if (body === undefined) return {};
  const fields = typeof body === 'object' && body !== null ? Object.entries(body) : undefined;
  const wrong = fields?.find(([, value]) => typeof value !== 'string');
  if (fields === undefined || wrong !== undefined) {
    const name = wrong?.[0] ?? 'request body';
    throw new EntraError('invalid_request', 90014, `The field '${name}' must be a text.`);
  }
  return Object.fromEntries(fields);
}

/** RFC 6749, 2.3.1: id and secret are form-encoded before they are joined. */
function formDecoded(value = ''): string {
  try {
    return decodeURIComponent(value.replaceAll('+', ' '));
  } catch {
    throw new EntraError('invalid_client', 7000215, 'The HTTP Basic credentials are not form-encoded.');
  }
}

/**
 * The app of a token request. A public client needs no secret, but what it sends must be right. Unknown fields are
 * ignored: MSAL sends many. Throws EntraError.
 */
export async function authenticate(emulator: Emulator, form: Form): Promise<ServicePrincipal> {
  const client = clientOf(emulator, form.client_id);
  if (form.client_assertion) await checkAssertion(emulator, client, form.client_assertion);
  else if (form.client_secret) checkSecret(client, form.client_secret, emulator.clock.now());
  return client;
}

export function isAuthenticated(form: Form): boolean {
  return Boolean(form.client_assertion ?? form.client_secret);
}

function checkSecret(client: ServicePrincipal, value: string, now: Date): void {
  const secret = client.secrets.find((each) => each.value === value);
  if (!secret) throw new EntraError('invalid_client', 7000215, 'Invalid client secret provided.');
  if (secret.expiresAt && Date.parse(secret.expiresAt) <= now.getTime()) {
    throw new EntraError('invalid_client', 7000222, 'The provided client secret keys are expired.');
  }
}
