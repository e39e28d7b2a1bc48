import { EmbedProblem } from './problem.js';
import type { ServiceOptions } from './types.js';

interface RequestOptions {
  signal: AbortSignal;
  /** The request outlives the page. */
  keepalive?: boolean;
  /** Use the last bearer token instead of calling `accessToken`: a page that is being closed may not resolve its promise. */
  reusesBearer?: boolean;
}

/** Sends requests to the service with the caller's credentials. */
export class ServiceClient {
  private bearer: string | undefined;

  constructor(private readonly options: ServiceOptions) {}

  url(path: string): string {
    return `${(this.options.baseUrl ?? '').replace(/\/+$/, '')}${path}`;
  }

  /** A rejected access token may only have expired, so the request is repeated once with a new one. */
  async post(
    path: string,
    body: object,
    { reusesBearer = false, ...init }: RequestOptions,
  ): Promise<Response> {
    const { accessToken } = this.options;
    const send = (bearer?: string): Promise<Response> => this.send(path, JSON.stringify(body), init, bearer);
    if (accessToken === undefined) return send();
    const bearer = (reusesBearer && this.bearer) || signedIn(await accessToken(false));
    this.bearer = bearer;
    const response = await send(bearer);
    if (response.status !== 401) return response;
    const next = signedIn(await accessToken(true));
    this.bearer = next;
    return next === bearer ? response : send(next);
  }

  private send(path: string, body: string, init: RequestInit, bearer?: string): Promise<Response> {
    const { fetch = globalThis.fetch } = this.options;
    const headers = {
      accept: 'application/json',
      'content-type': 'application/json',
      ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
    };
    return fetch(this.url(path), { ...init, method: 'POST', headers, body });
  }
}

function signedIn(bearer: string | null | undefined): string {
  if (bearer) return bearer;
  throw new EmbedProblem('No user is signed in.', { kind: 'signed_out', code: 'signed_out' });
}
