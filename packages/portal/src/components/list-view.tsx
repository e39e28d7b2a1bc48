import { Button, Center, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { LoadingRows, ProblemAlert } from './states.js';

interface List<R> {
  rows: R[] | undefined;
  error: unknown;
  refetch: () => unknown;
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => unknown;
}

interface Props<R> {
  /** What `useList` gives. */
  list: List<R>;
  empty: ReactNode;
  children: (rows: R[]) => ReactNode;
}

/** The rows of a list with its four states, and a button for more where there is more. */
export function ListView<R>({ list, empty, children }: Props<R>) {
  const failed = list.error !== null && list.error !== undefined;
  if (list.rows === undefined) {
    return failed ? <ProblemAlert error={list.error} onRetry={() => void list.refetch()} /> : <LoadingRows />;
  }
  return (
    <Stack>
      {failed && <ProblemAlert error={list.error} onRetry={() => void list.refetch()} />}
      {list.rows.length === 0 ? empty : children(list.rows)}
      {list.hasNextPage && (
        <Center>
          <Button
            variant="default"
            loading={list.isFetchingNextPage}
            onClick={() => void list.fetchNextPage()}
          >
            Show more
          </Button>
        </Center>
      )}
    </Stack>
  );
}
