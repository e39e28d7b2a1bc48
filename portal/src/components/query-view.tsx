import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { LoadingRows, ProblemAlert } from './states.js';

interface Props<T> {
  query: UseQueryResult<T>;
  loading?: ReactNode;
  children: (data: T) => ReactNode;
}

/** What was read, or that it is on its way, or why it is not. What was there before stays while it is read again. */
export function QueryView<T>({ query, loading = <LoadingRows />, children }: Props<T>) {
  if (query.data !== undefined) return children(query.data);
  if (query.error !== null) return <ProblemAlert error={query.error} onRetry={() => void query.refetch()} />;
  return loading;
}
