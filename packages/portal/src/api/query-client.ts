import { QueryClient } from '@tanstack/react-query';
import { session } from '../session/session.js';
import { ProblemError } from './problem.js';

/** A longer wait is shown rather than sat out. */
const PATIENCE_SECONDS = 5;

/** Worth asking again by itself: what passes, and soon. */
const passes = (error: unknown): boolean =>
  error instanceof ProblemError &&
  (error.status === 0 || error.status === 429 || error.status >= 500) &&
  (error.retryAfter ?? 0) <= PATIENCE_SECONDS;

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      // Whether there is a network says nothing about this service; asking does.
      networkMode: 'always',
      refetchOnReconnect: true,
      retry: (failures, error) => failures < 2 && passes(error),
      retryDelay: (failures, error) =>
        error instanceof ProblemError && error.retryAfter !== undefined
          ? error.retryAfter * 1000
          : 500 * 2 ** failures,
    },
    mutations: { networkMode: 'always' },
  },
});

let person = session.person;

/** Nothing of one person is shown to the next. */
session.subscribe(() => {
  if (session.person === person) return;
  person = session.person;
  queryClient.clear();
});
