import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ProblemError } from '../api/problem.js';
import { LoadingRows, ProblemAlert } from './states.js';

interface Props<T> {
  query: UseQueryResult<T>;
  loading?: ReactNode;
  children: (data: T) => ReactNode;
}

const isGone = (error: unknown): boolean => error instanceof ProblemError && error.status === 404;

/**
 * What was read, or that it is on its way, or why it is not. What was there before stays while it is read again, unless
 * it is there no more.
 */
export function QueryView<T>({ query, loading = <LoadingRows />, children }: Props<T>) {
  if (query.data !== undefined && !isGone(query.error)) return children(query.data);
  if (query.error !== null) return <ProblemAlert error={query.error} onRetry={() => void query.refetch()} />;
  return loading;
}
