import { type EmbedProblem, embedTokens } from '@vitrine/embed';
import { ProblemError, type ProblemCode } from '../api/problem.js';
import { session } from '../session/session.js';
import { basePath } from '../settings.js';
import { keepFailure } from '../support/last-failure.js';

let last: string | undefined;

/** Made once: whoever keeps the same report shares its token and its renewal. */
export const tokens = embedTokens({
  baseUrl: basePath,
  accessToken: async (refused) => {
    last = refused ? await session.replacementFor(last) : await session.accessToken();
    return last;
  },
});

/** The helper's own codes by those of the portal; the others are the service's. */
const own: Record<string, ProblemCode> = {
  timeout: 'unreachable',
  signed_out: 'authentication_required',
  invalid_answer: 'unexpected_response',
};

/** As every other failure of the portal, to be put into words and kept for a report of a problem. */
export function asProblem(problem: EmbedProblem): ProblemError {
  // Of the session: the helper only knows that its request failed.
  if (problem.cause instanceof ProblemError) return problem.cause;
  const { code, status = 0, message, requestId, retryAfter } = problem;
  const failure = new ProblemError(
    own[code] ?? (code as ProblemCode),
    status,
    message,
    { request_id: requestId },
    retryAfter,
  );
  keepFailure(failure);
  return failure;
}
