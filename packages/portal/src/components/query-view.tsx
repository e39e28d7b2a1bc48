import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ProblemError } from '../api/problem.js';
import { LoadingRows, ProblemAlert } from './states.js';

interface Props<T> {
  query: UseQueryResult<T>;
  loading?: ReactNode;
  /** What else can be done about a failure. */
  actions?: (error: unknown) => ReactNode;
  children: (data: T) => ReactNode;
}

export const isGone = (error: unknown): boolean => error instanceof ProblemError && error.status === 404;

/** Loaded data, a placeholder while it loads, or the error. Data stays visible during a reload, unless it was deleted. */
export function QueryView<T>({ query, loading = <LoadingRows />, actions, children }: Props<T>) {
  if (query.data !== undefined && !isGone(query.error)) return children(query.data);
  if (query.error !== null)
    return (
      <ProblemAlert
        error={query.error}
        onRetry={() => void query.refetch()}
        actions={actions?.(query.error)}
      />
    );
  return loading;
}
