import { problemOf, unreachable } from '../api/problem.js';
import { basePath } from '../settings.js';
import { type TabMessage, SessionStore } from './session-store.js';

/**
 * Tabs wait for each other: a request without a response must not block them forever. Shorter than the grace period of the
 * service (30 s), so that a renewal whose response is lost can be repeated.
 */
const TIMEOUT_MS = 15_000;

const NAME = 'vitrine-session';
const tabs = new BroadcastChannel(NAME);

async function post(path: string, body?: object): Promise<Response> {
  try {
    return await fetch(`${basePath}/${path}`, {
      method: 'POST',
      headers: { 'X-Vitrine-CSRF': '1', ...(body !== undefined && { 'Content-Type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
  } catch {
    throw unreachable();
  }
}

let last: Promise<unknown> = Promise.resolve();

/** An insecure context has no locks, and no cookie that tabs could share. */
function exclusiveHere<T>(work: () => Promise<T>): Promise<T> {
  const result = last.then(work, work);
  last = result;
  return result;
}

export const session = new SessionStore({
  post,
  exclusive: (work) => (isSecureContext ? navigator.locks.request(NAME, work) : exclusiveHere(work)),
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel, not a window
  broadcast: (message) => tabs.postMessage(message),
  onMessage: (listener) =>
    tabs.addEventListener('message', ({ data }: MessageEvent<TabMessage>) => listener(data)),
  // Not the system clock, which may be changed.
  now: () => performance.now(),
});

/** Stores the invitation for the following sign-in at the identity provider, which accepts it. */
export async function sendInvitation(invitation_token: string): Promise<void> {
  const response = await post('login/invitation', { invitation_token });
  if (!response.ok) throw problemOf(response, await response.json().catch(() => undefined));
}
