import { useSearchParams } from 'react-router';
import { api } from '../../api/client.js';
import { useList } from '../../api/use-list.js';

const sorts = ['name', '-name', 'updated_at', '-updated_at'] as const;

/** The reports that the page's address asks for, and what was searched for. */
export function useReports(workspaceId: string | undefined) {
  const [parameters] = useSearchParams();
  const q = parameters.get('q') ?? undefined;
  const sort = sorts.find((each) => each === parameters.get('sort')) ?? 'name';
  const list = useList(
    ['reports', 'list', workspaceId, q, sort],
    (cursor, signal) =>
      api.GET('/api/reports', {
        params: { query: { q, sort, cursor, workspace_id: workspaceId, limit: 50, count: true } },
        signal,
      }),
    ({ reports }) => reports,
  );
  return { list, q };
}
