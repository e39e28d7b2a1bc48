import { useQuery } from '@tanstack/react-query';
import { api, received } from '../../api/client.js';
import { useParameters } from '../../components/use-parameter.js';
import { streamOf } from '../../export/use-export.js';
import type { ReviewRow } from './review-row.js';

/** Rows that the page sorts and searches; the export contains all. */
export const MAX_ROWS = 5000;

/** The part of the review that a filter selects. */
export interface ReviewQuery {
  workspace_id?: string;
  report_id?: string;
  group_id?: string;
  user_id?: string;
}

const parameters = {
  workspace: 'workspace_id',
  report: 'report_id',
  group: 'group_id',
  user: 'user_id',
} as const;
export type Scope = keyof typeof parameters;

/** The filters in the URL. */
export function useReviewFilters() {
  const [url, change] = useParameters();
  const entries = Object.entries(parameters).flatMap(([scope, name]) => {
    const id = url.get(scope);
    return id === null ? [] : [[name, id] as const];
  });
  const query: ReviewQuery = Object.fromEntries(entries);
  return {
    query,
    isFiltered: entries.length > 0,
    valueOf: (scope: Scope) => url.get(scope),
    set: (scope: Scope, id: string | null) => change({ [scope]: id }),
  };
}

/** The request of the review; `options` select the format. */
export const requestReview =
  (query: ReviewQuery) =>
  <O extends object>(options: O) =>
    api.GET('/api/access/review', { params: { query }, ...options });

/** Reads the first lines of a stream and cancels the rest. */
async function firstLines(stream: ReadableStream<Uint8Array<ArrayBuffer>>, count: number): Promise<string[]> {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    text += value;
    if (text.split('\n').length > count + 1) {
      await reader.cancel();
      break;
    }
  }
  return text.split('\n').slice(0, count).filter(Boolean);
}

async function previewOf(query: ReviewQuery, signal: AbortSignal) {
  const stream = await streamOf(requestReview(query), 'ndjson', signal);
  const lines = await firstLines(stream, MAX_ROWS + 1);
  const rows = lines.map((line) => JSON.parse(line) as ReviewRow);
  return { rows: rows.slice(0, MAX_ROWS), hasMore: rows.length > MAX_ROWS };
}

/** The first lines of the review, and whether there are more. */
export const useReviewPreview = (query: ReviewQuery) =>
  useQuery({
    queryKey: ['access', 'review', query],
    queryFn: ({ signal }) => received(previewOf(query, signal)),
  });
