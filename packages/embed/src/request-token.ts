import { readResponse } from './response.js';
import { EmbedProblem } from './problem.js';
import type { EmbedAccess, EmbedToken, ServiceOptions } from './types.js';

export interface TokenRequest {
  reportId: string;
  access: EmbedAccess;
}

type Init = Omit<RequestInit, 'headers'> & { headers: Record<string, string> };

/** Requests one token. Throws only EmbedProblem. */
export async function requestToken(
  service: ServiceOptions,
  { reportId, access }: TokenRequest,
  signal: AbortSignal,
): Promise<EmbedToken> {
  const base = (service.baseUrl ?? '').replace(/\/+$/, '');
  const url = `${base}/api/reports/${encodeURIComponent(reportId)}/embed-token`;
  const headers = { accept: 'application/json', 'content-type': 'application/json' };
  try {
    const init = { method: 'POST', headers, body: JSON.stringify({ access }), signal };
    return await readResponse(await send(service, url, init), url);
  } catch (error) {
    if (error instanceof EmbedProblem) throw error;
    const about = { kind: 'unavailable', code: 'unreachable', cause: error } as const;
    throw new EmbedProblem('The request for an embed token failed.', about);
  }
}

/** A rejected access token may only have expired, so the request is repeated once with a new one. */
async function send(service: ServiceOptions, url: string, init: Init): Promise<Response> {
  const { accessToken, fetch = globalThis.fetch } = service;
  if (accessToken === undefined) return fetch(url, init);
  const bearer = signedIn(await accessToken(false));
  const response = await fetch(url, withBearer(init, bearer));
  if (response.status !== 401) return response;
  const next = signedIn(await accessToken(true));
  return next === bearer ? response : fetch(url, withBearer(init, next));
}

function signedIn(bearer: string | null | undefined): string {
  if (bearer) return bearer;
  throw new EmbedProblem('No user is signed in.', { kind: 'signed_out', code: 'signed_out' });
}

const withBearer = (init: Init, bearer: string): Init => ({
  ...init,
  headers: { ...init.headers, authorization: `Bearer ${bearer}` },
});
