import { ProblemError, type ProblemCode } from '../api/problem.js';
import { basePath, settings } from '../settings.js';
import { ownPath } from './own-path.js';
import { session } from './session.js';

/** Stored while the browser is at the identity provider. */
interface Attempt {
  state: string;
  verifier: string;
  destination: string;
}

const KEY = 'vitrine-sign-in';

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

const random = (): string => base64url(crypto.getRandomValues(new Uint8Array(32)));

/** Leaves for the identity provider (PKCE, RFC 7636); the browser comes back to `/signed-in`. */
export async function beginProviderSignIn(destination: string): Promise<void> {
  const attempt: Attempt = { state: random(), verifier: random(), destination };
  sessionStorage.setItem(KEY, JSON.stringify(attempt));
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(attempt.verifier));
  const query = new URLSearchParams({
    return_to: `${settings.publicUrl}/signed-in`,
    code_challenge: base64url(new Uint8Array(digest)),
    state: attempt.state,
  });
  location.assign(`${basePath}/login?${query.toString()}`);
}

/** The attempt that this tab started and that the callback belongs to. It can be used once. */
function takeAttempt(state: string | null): Attempt | undefined {
  const stored = sessionStorage.getItem(KEY);
  sessionStorage.removeItem(KEY);
  const attempt = stored === null ? undefined : (JSON.parse(stored) as Attempt);
  return attempt?.state === state ? attempt : undefined;
}

export interface Outcome {
  destination: string;
  /** Why the sign-in failed. */
  problem?: ProblemError;
}

/** Exchanges the one-time code for a session. Sending a code twice would end the session. */
export async function finishProviderSignIn(query: URLSearchParams): Promise<Outcome> {
  const attempt = takeAttempt(query.get('state'));
  // Removes the code from the history, so that a reload does not send it again.
  history.replaceState(history.state, '', `${basePath}/signed-in`);
  if (attempt === undefined) return withoutAttempt();
  const destination = ownPath(attempt.destination) ?? '/';
  const problem = await outcomeOf(query, attempt.verifier);
  return { destination, problem };
}

async function outcomeOf(query: URLSearchParams, verifier: string): Promise<ProblemError | undefined> {
  const error = query.get('error');
  if (error !== null) {
    return new ProblemError(error as ProblemCode, 0, query.get('error_description') ?? '');
  }
  try {
    const grant = { grant_type: 'authorization_code', code: query.get('code') ?? '' } as const;
    await session.signIn({ ...grant, code_verifier: verifier });
    return undefined;
  } catch (problem) {
    if (problem instanceof ProblemError) return problem;
    throw problem;
  }
}

/** The callback was opened twice, reloaded, or started elsewhere. No problem if the user is signed in. */
async function withoutAttempt(): Promise<Outcome> {
  const token = await session.accessToken().catch(() => undefined);
  const interrupted = new ProblemError('sign_in_interrupted', 0, '');
  return { destination: '/', ...(token === undefined && { problem: interrupted }) };
}
