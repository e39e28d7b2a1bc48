import { Button, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from 'i18next';
import type { Total } from '../api/use-list.js';
import { formatNumber } from '../i18n/format.js';
import { LoadingRows, ProblemAlert } from './states.js';

interface List<R> {
  total?: Total;
  data?: { pages: unknown[] };
  rows: R[] | undefined;
  error: unknown;
  refetch: () => unknown;
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  isFetchNextPageError: boolean;
  fetchNextPage: () => unknown;
}

interface Props<R> {
  /** The result of `useList`. */
  list: List<R>;
  empty: ReactNode;
  /** The number of rows of all pages, if it is known other than from the list. */
  total?: number;
  children: (rows: R[]) => ReactNode;
}

interface EndProps<R> {
  list: List<R>;
  shown: number;
  total?: Total;
}

/** How much of a list of several pages is shown, and the button that loads the next one. */
function ListEnd<R>({ list, shown, total }: EndProps<R>) {
  if (!list.hasNextPage && (list.data?.pages.length ?? 0) < 2) return null;
  return (
    <Stack align="center" gap="xs">
      <Text size="sm" c="dimmed" role="status">
        {total !== undefined && total.count >= shown
          ? t('Showing {{rows}} of {{total}}', {
              rows: shown,
              total: `${formatNumber(total.count)}${total.isMore ? '+' : ''}`,
            })
          : t('Showing {{rows}}', { rows: shown })}
      </Text>
      {list.isFetchNextPageError && (
        <ProblemAlert error={list.error} onRetry={() => void list.fetchNextPage()} />
      )}
      {list.hasNextPage && !list.isFetchNextPageError && (
        <Button variant="default" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {t('Show more')}
        </Button>
      )}
    </Stack>
  );
}

/** The rows of a list with its four states, and a button that loads the next page. */
export function ListView<R>({ list, empty, total, children }: Props<R>) {
  const failed = list.error !== null && list.error !== undefined;
  if (list.rows === undefined) {
    return failed ? <ProblemAlert error={list.error} onRetry={() => void list.refetch()} /> : <LoadingRows />;
  }
  return (
    <Stack>
      {failed && !list.isFetchNextPageError && (
        <ProblemAlert error={list.error} onRetry={() => void list.refetch()} />
      )}
      {list.rows.length === 0 ? empty : children(list.rows)}
      <ListEnd
        list={list}
        shown={list.rows.length}
        total={total === undefined ? list.total : { count: total, isMore: false }}
      />
    </Stack>
  );
}
