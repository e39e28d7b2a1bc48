import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api, read } from '../../api/client.js';
import { queryClient } from '../../api/query-client.js';
import { useList } from '../../api/use-list.js';
import { isActive, type SyncRun } from './sync-texts.js';

/** As often as a run stores its progress. */
const ACTIVE_MS = 1000;
/** For syncs that others or the schedule start. */
const IDLE_MS = 15_000;
/** Includes the running and the queued one; there is at most one of each. */
const NEWEST = 10;

const intervalFor = (runs: SyncRun[]): number => (runs.some(isActive) ? ACTIVE_MS : IDLE_MS);

/** All runs, the newest first; active ones are polled. */
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
  return { ...list, rows: list.rows && merged(fresh, list.rows), active: fresh.filter(isActive) };
}

/** One run, polled while it is active. */
export const useSync = (id: string) =>
  useQuery({
    queryKey: ['syncs', 'one', id],
    queryFn: ({ signal }) => read(api.GET('/api/syncs/{id}', { params: { path: { id } }, signal })),
    refetchInterval: ({ state }) => (state.data !== undefined && isActive(state.data) ? ACTIVE_MS : false),
  });

function merged(fresh: SyncRun[], rows: SyncRun[]): SyncRun[] {
  const known = new Set(rows.map(({ id }) => id));
  const byId = new Map(fresh.map((run) => [run.id, run]));
  return [...fresh.filter(({ id }) => !known.has(id)), ...rows.map((run) => byId.get(run.id) ?? run)];
}

/** A finished run makes the catalogue in the query cache stale. */
function useCatalogueChanges(runs: SyncRun[]): void {
  const ended = runs.find((run) => !isActive(run))?.finished_at;
  useEffect(() => {
    if (ended === undefined) return;
    for (const kind of ['workspaces', 'reports', 'datasets']) {
      void queryClient.invalidateQueries({ queryKey: [kind] });
    }
  }, [ended]);
}
