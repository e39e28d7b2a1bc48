import { QueryClient } from '@tanstack/react-query';
import { session } from '../session/session.js';
import { forgetFailure } from '../support/last-failure.js';
import { ProblemError } from './problem.js';

/** After a longer delay there is no automatic retry. */
const MAX_RETRY_SECONDS = 5;

/** Temporary failures with a short delay. */
const isRetryable = (error: unknown): boolean =>
  error instanceof ProblemError && error.isTemporary && (error.retryAfter ?? 0) <= MAX_RETRY_SECONDS;

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      // The browser's network state does not tell whether this service is reachable.
      networkMode: 'always',
      refetchOnReconnect: true,
      retry: (failures, error) => failures < 2 && isRetryable(error),
      retryDelay: (failures, error) =>
        error instanceof ProblemError && error.retryAfter !== undefined
          ? error.retryAfter * 1000
          : 500 * 2 ** failures,
    },
    mutations: { networkMode: 'always' },
  },
});

/** What is left to do in a new installation: several pages change it. */
export const onboardingKey = ['settings', 'onboarding'];

let person = session.person;

/** Data of one user is never shown to the next. */
session.subscribe(() => {
  if (session.person === person) return;
  person = session.person;
  queryClient.clear();
  forgetFailure();
});
