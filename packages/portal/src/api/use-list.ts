import { useInfiniteQuery } from '@tanstack/react-query';

interface ListResponse<T> {
  data?: T;
  response: Response;
}

/** The cursor behind `rel="next"` of a Link header, if there is a next page. */
export function nextCursorOf(link: string | null): string | undefined {
  const target = /<([^>]*)>;\s*rel="next"/.exec(link ?? '')?.[1];
  return target === undefined
    ? undefined
    : (new URL(target, location.href).searchParams.get('cursor') ?? undefined);
}

/** The rows of all pages, where there are few. */
export async function allRows<P, R>(
  call: (cursor: string | undefined) => Promise<ListResponse<P>>,
  rows: (page: P) => R[],
): Promise<R[]> {
  const found: R[] = [];
  let cursor: string | undefined;
  do {
    const { data, response } = await call(cursor);
    found.push(...rows(data as P));
    cursor = nextCursorOf(response.headers.get('Link'));
  } while (cursor !== undefined);
  return found;
}

/** The number of rows of all pages. */
export interface Total {
  count: number;
  /** Whether there are more than `count`. */
  isMore: boolean;
}

/** Of a request with `count`; undefined without the header. */
function totalOf(header: string | null): Total | undefined {
  return header === null ? undefined : { count: Number.parseInt(header, 10), isMore: header.endsWith('+') };
}

interface Options<R> {
  /** Milliseconds until these rows are reloaded; undefined disables it. */
  lookAgain?: (rows: R[]) => number | undefined;
}

/**
 * A list with further pages. `call` requests one page; `rows` selects its rows.
 *
 *     useList(['reports', q], (cursor) => api.GET('/api/reports', { params: { query: { q, cursor } } }), (page) => page.reports)
 */
export function useList<P, R>(
  key: readonly unknown[],
  call: (cursor: string | undefined, signal: AbortSignal) => Promise<ListResponse<P>>,
  rows: (page: P) => R[],
  { lookAgain }: Options<R> = {},
) {
  const query = useInfiniteQuery({
    queryKey: key,
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) => {
      const { data, response } = await call(pageParam, signal);
      return {
        rows: rows(data as P),
        next: nextCursorOf(response.headers.get('Link')),
        total: totalOf(response.headers.get('Total-Count')),
      };
    },
    getNextPageParam: ({ next }) => next,
    placeholderData: (previous) => previous,
    refetchInterval: ({ state }) =>
      lookAgain?.(state.data?.pages.flatMap((page) => page.rows) ?? []) ?? false,
  });
  const pages = query.data?.pages;
  return { ...query, rows: pages?.flatMap((page) => page.rows), total: pages?.[0]?.total };
}
