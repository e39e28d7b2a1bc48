import { msg } from '../i18n/index.js';
import { api, read } from './client.js';
import type { Choice, Choices, Source } from './sources.js';
import { nextCursorOf } from './use-list.js';

export async function choicesOf<P, R>(
  call: Promise<{ data?: P; response: Response }>,
  rows: (page: P) => R[],
  choice: (row: R) => Choice,
): Promise<Choices> {
  const { data, response } = await call;
  const more = nextCursorOf(response.headers.get('Link')) !== undefined;
  return { found: rows(data as P).map(choice), more };
}

/** Parameters of a request for one resource. */
export const path = (id: string) => ({ path: { id } });

const named = ({ id, name }: { id: string; name: string }): Choice => ({ id, name });

/** Apart from the others, because Home needs no other. */
export const workspaces: Source = {
  kind: 'workspaces',
  nothingFound: msg('No workspaces match'),
  search: ({ q, limit, signal }) =>
    choicesOf(
      api.GET('/api/workspaces', { params: { query: { q, limit, sort: 'name' } }, signal }),
      (page) => page.workspaces,
      named,
    ),
  get: async (id, signal) => named(await read(api.GET('/api/workspaces/{id}', { params: path(id), signal }))),
};
