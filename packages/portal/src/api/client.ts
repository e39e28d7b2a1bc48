import createClient, { type Middleware } from 'openapi-fetch';
import { session } from '../session/session.js';
import { basePath } from '../settings.js';
import { ProblemError, problemOf, unexpected, unreachable } from './problem.js';
import type { paths } from './schema.js';
import { send } from './send.js';

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
    throw problemOf(response, body);
  },
};

const isTimeout = (error: unknown): boolean => error instanceof DOMException && error.name === 'TimeoutError';

/** A body that breaks off, or that is no JSON, such as the page of a proxy, is a ProblemError, too. */
export async function received<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof SyntaxError) throw unexpected(200);
    throw error instanceof TypeError || isTimeout(error) ? unreachable() : error;
  }
}

const client = createClient<paths>({ baseUrl: basePath, fetch: signedFetch });
client.use(failures);

const checked = <C extends (...given: never[]) => Promise<unknown>>(call: C): C =>
  ((...given: never[]) => received(call(...given))) as C;

/** The API, typed by its own OpenAPI document. Every failure is a thrown ProblemError. */
export const api = {
  GET: checked(client.GET),
  POST: checked(client.POST),
  PUT: checked(client.PUT),
  PATCH: checked(client.PATCH),
  DELETE: checked(client.DELETE),
};

/** The body of a response; failures are thrown. */
export async function read<T>(call: Promise<{ data?: T; response: Response }>): Promise<T> {
  return (await call).data as T;
}
