import createClient, { type Middleware } from 'openapi-fetch';
import { session } from '../session/session.js';
import { basePath } from '../settings.js';
import { keepFailure } from '../support/last-failure.js';
import { ProblemError, problemOf, unreachable } from './problem.js';
import type { paths } from './schema.js';

/** Longer than any response of the service: detects a dead connection. */
const TIMEOUT_MS = 60_000;

function send(request: Request, token: string | undefined): Promise<Response> {
  const copy = request.clone();
  if (token !== undefined) copy.headers.set('Authorization', `Bearer ${token}`);
  return fetch(copy, { signal: AbortSignal.any([request.signal, AbortSignal.timeout(TIMEOUT_MS)]) });
}

/** Sends with the session's token, and once more with a renewed one after a 401. */
export async function signedFetch(request: Request): Promise<Response> {
  try {
    const token = await session.accessToken();
    const response = await send(request, token);
    if (response.status !== 401 || token === undefined) return response;
    const renewed = await session.replacementFor(token);
    if (renewed === undefined) return response;
    const again = await send(request, renewed);
    if (again.status === 401) session.refused(renewed);
    return again;
  } catch (error) {
    throw error instanceof ProblemError || request.signal.aborted ? error : unreachable();
  }
}

const failures: Middleware = {
  async onResponse({ response }) {
    // The browser's cache resolves a 304.
    if (response.status < 400) return;
    const body: unknown = await response
      .clone()
      .json()
      .catch(() => undefined);
    const problem = problemOf(response, body);
    keepFailure(problem);
    throw problem;
  },
};

/** The API, typed by its own OpenAPI document. Every failure is a thrown ProblemError. */
export const api = createClient<paths>({ baseUrl: basePath, fetch: signedFetch });
api.use(failures);

/** The body of a response; failures are thrown. */
export async function read<T>(call: Promise<{ data?: T; response: Response }>): Promise<T> {
  return (await call).data as T;
}
