import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api, read } from '../../api/client.js';
import { queryClient } from '../../api/query-client.js';
import { useList } from '../../api/use-list.js';
import { isAtWork, type SyncRun } from './sync-words.js';

/** As often as a run writes down how far it is. */
const AT_WORK_MS = 1000;
/** To notice what others ask for, and the schedule. */
const IDLE_MS = 15_000;
/** One runs and one waits at most: they are among these. */
const NEWEST = 10;

const intervalFor = (runs: SyncRun[]): number => (runs.some(isAtWork) ? AT_WORK_MS : IDLE_MS);

/** All runs, the newest first; those at work are followed. */
export function useSyncs() {
  const newest = useQuery({
    queryKey: ['syncs', 'newest'],
    queryFn: async ({ signal }) => {
      const query = { limit: NEWEST, sort: '-queued_at' } as const;
      return (await read(api.GET('/api/syncs', { params: { query }, signal }))).syncs;
    },
    refetchInterval: ({ state }) => intervalFor(state.data ?? []),
  });
  const list = useList(
    ['syncs', 'list'],
    (cursor, signal) =>
      api.GET('/api/syncs', { params: { query: { cursor, limit: 25, sort: '-queued_at' } }, signal }),
    ({ syncs }) => syncs,
  );
  const fresh = newest.data ?? [];
  useCatalogueChanges(fresh);
  return { ...list, rows: list.rows && merged(fresh, list.rows), atWork: fresh.filter(isAtWork) };
}

/** One run, followed while it is at work. */
export const useSync = (id: string) =>
  useQuery({
    queryKey: ['syncs', 'one', id],
    queryFn: ({ signal }) => read(api.GET('/api/syncs/{id}', { params: { path: { id } }, signal })),
    refetchInterval: ({ state }) => (state.data !== undefined && isAtWork(state.data) ? AT_WORK_MS : false),
  });

function merged(fresh: SyncRun[], rows: SyncRun[]): SyncRun[] {
  const known = new Set(rows.map(({ id }) => id));
  const byId = new Map(fresh.map((run) => [run.id, run]));
  return [...fresh.filter(({ id }) => !known.has(id)), ...rows.map((run) => byId.get(run.id) ?? run)];
}

/** What other pages keep of the catalogue is old once a run has ended. */
function useCatalogueChanges(runs: SyncRun[]): void {
  const ended = runs.find((run) => !isAtWork(run))?.finished_at;
  useEffect(() => {
    if (ended === undefined) return;
    for (const kind of ['workspaces', 'reports', 'datasets']) {
      void queryClient.invalidateQueries({ queryKey: [kind] });
    }
  }, [ended]);
}
