import { EmbedProblem, type EmbedProblemKind } from './problem.js';
import type { EmbedToken } from './types.js';

const texts = ['token', 'token_id', 'expires_at', 'embed_url', 'report_id', 'pbi_report_id', 'access'];
const seconds = ['expires_in', 'refresh_in'];
/** Codes that mean that the user has no access or the report does not exist. */
const revoked = ['access_denied', 'embed_access_revoked', 'report_not_found', 'power_bi_report_missing'];

type Fields = Record<string, unknown>;

/** Returns the token in a response. Throws EmbedProblem for any other response. */
export async function readResponse(response: Response, url: string): Promise<EmbedToken> {
  const body = parsed(await response.text());
  if (!response.ok) throw toProblem(response, body, url);
  const missing = missingIn(body);
  if (missing === undefined) return body as unknown as EmbedToken;
  throw new EmbedProblem(notAToken(response, url, body && `${missing} is missing`), {
    kind: 'failed',
    code: 'invalid_answer',
    status: response.status,
  });
}

function parsed(text: string): Fields | undefined {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null ? (body as Fields) : undefined;
  } catch {
    return undefined;
  }
}

function missingIn(body: Fields = {}): string | undefined {
  const isSeconds = (value: unknown): boolean => Number.isFinite(value) && (value as number) >= 0;
  return (
    texts.find((name) => typeof body[name] !== 'string' || body[name] === '') ??
    seconds.find((name) => !isSeconds(body[name]))
  );
}

/** A proxy between page and service may respond in its place, with a sign-in page or an error page. */
function notAToken({ status, headers }: Response, url: string, why?: string): string {
  const what = why ?? `the content type is ${headers.get('content-type') || 'unknown'}`;
  return `${url} returned an invalid response with status ${status}: ${what}.`;
}

function toProblem(response: Response, body: Fields | undefined, url: string): EmbedProblem {
  const { status, headers } = response;
  const text = (name: string): string | undefined => {
    const value = body?.[name];
    return typeof value === 'string' ? value : undefined;
  };
  const code = text('code');
  return new EmbedProblem(
    text('detail') ?? text('title') ?? notAToken(response, url, body && 'code is missing'),
    {
      kind: kindOf(status, code),
      code: code ?? 'invalid_answer',
      status,
      requestId: text('request_id') ?? headers.get('x-request-id') ?? undefined,
      retryAfter: retryAfterOf(headers),
    },
  );
}

/** Whether the same request may succeed later. */
export const isTemporary = (status: number): boolean => status === 408 || status === 429 || status >= 500;

/** In seconds. The date format would require a correct local clock. */
export function retryAfterOf(headers: Headers): number | undefined {
  const wait = headers.get('retry-after') ?? '';
  return /^\d{1,9}$/.test(wait) ? Number(wait) : undefined;
}

function kindOf(status: number, code?: string): EmbedProblemKind {
  if (status === 401) return 'signed_out';
  if (isTemporary(status)) return 'unavailable';
  return revoked.includes(code ?? '') ? 'revoked' : 'failed';
}
