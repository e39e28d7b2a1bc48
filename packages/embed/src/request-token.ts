import { EmbedProblem } from './problem.js';
import { readResponse } from './response.js';
import type { ServiceClient } from './service-client.js';
import type { EmbedAccess, EmbedToken } from './types.js';

export interface TokenRequest {
  reportId: string;
  access: EmbedAccess;
}

/** Requests one token. Throws only EmbedProblem. */
export async function requestToken(
  client: ServiceClient,
  { reportId, access }: TokenRequest,
  signal: AbortSignal,
): Promise<EmbedToken> {
  const path = `/api/reports/${encodeURIComponent(reportId)}/embed-token`;
  try {
    return await readResponse(await client.post(path, { access }, { signal }), client.url(path));
  } catch (error) {
    if (error instanceof EmbedProblem) throw error;
    const about = { kind: 'unavailable', code: 'unreachable', cause: error } as const;
    throw new EmbedProblem('The request for an embed token failed.', about);
  }
}
