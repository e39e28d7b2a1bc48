import { problemOf, unreachable } from '../api/problem.js';
import { basePath } from '../settings.js';
import { type TabMessage, TabSession } from './tab-session.js';

/** Others wait while one asks: an answer that never comes must not hold them up for ever. */
const TIMEOUT_MS = 30_000;

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

/** Where the page is not secure there are no locks, and no cookie that tabs could share either. */
function aloneHere<T>(work: () => Promise<T>): Promise<T> {
  const result = last.then(work, work);
  last = result;
  return result;
}

export const session = new TabSession({
  post,
  alone: (work) => (isSecureContext ? navigator.locks.request(NAME, work) : aloneHere(work)),
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel, not a window
  tell: (message) => tabs.postMessage(message),
  hear: (listener) =>
    tabs.addEventListener('message', ({ data }: MessageEvent<TabMessage>) => listener(data)),
  // Not the clock of the machine, which people set.
  now: () => performance.now(),
});

/** Keeps the invitation for the sign-in at the identity provider that comes next, which accepts it. */
export async function sendInvitation(invitation_token: string): Promise<void> {
  const response = await post('login/invitation', { invitation_token });
  if (!response.ok) throw problemOf(response, await response.json().catch(() => undefined));
}
