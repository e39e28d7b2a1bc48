import { queryOptions, useMutation, useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, read } from '../api/client.js';
import type { components } from '../api/schema.js';
import { notifyProblem } from '../components/notify.js';

export type ReportExport = components['schemas']['ExportDto'];
export type ExportRefusal = NonNullable<components['schemas']['ExportOptionsDto']['reason']>;
export type ReportFormat = ReportExport['format'];

const POLL_MS = 1500;

export const isActive = ({ status }: ReportExport): boolean => status === 'queued' || status === 'running';

export const useExportOptions = (reportId: string) =>
  useQuery({
    queryKey: ['reports', reportId, 'export-options'],
    queryFn: ({ signal }) =>
      read(api.GET('/api/reports/{id}/export-options', { params: { path: { id: reportId } }, signal })),
    staleTime: 60_000,
  });

/** The exports of a report that were started in this tab, newest first, also after a reload. */
function useExportIds(reportId: string) {
  const stored = `vitrine.exports.${reportId}`;
  const storedIds = (): string[] => sessionStorage.getItem(stored)?.split(' ').filter(Boolean) ?? [];
  const [ids, setIds] = useState(storedIds);
  const change = (changed: (ids: string[]) => string[]): void => {
    const next = changed(storedIds());
    sessionStorage.setItem(stored, next.join(' '));
    setIds(next);
  };
  return [ids, change] as const;
}

const exportOf = (id: string) =>
  queryOptions({
    queryKey: ['exports', id],
    queryFn: ({ signal }) => read(api.GET('/api/exports/{id}', { params: { path: { id } }, signal })),
    refetchInterval: ({ state: { data } }) => (data !== undefined && isActive(data) ? POLL_MS : false),
  });

/** The exports of a report: their request and their progress. */
export function useReportExports(reportId: string) {
  const client = useQueryClient();
  const [ids, change] = useExportIds(reportId);
  const queries = useQueries({ queries: ids.map(exportOf) });
  /** One that ended without a file makes way for the next. */
  const isKept = (id: string): boolean => {
    const known = client.getQueryData(exportOf(id).queryKey);
    return known === undefined || isActive(known) || known.status === 'succeeded';
  };
  const start = useMutation({
    mutationFn: (body: components['schemas']['CreateExportDto']) =>
      read(api.POST('/api/reports/{id}/exports', { params: { path: { id: reportId } }, body })),
    onSuccess: (created) => {
      client.setQueryData(exportOf(created.id).queryKey, created);
      change((before) => [created.id, ...before.filter(isKept)]);
    },
    onError: notifyProblem,
  });
  return {
    /** `isLost`: its status can no longer be read. */
    shown: queries.flatMap(({ data, isError: isLost }) =>
      data === undefined ? [] : [{ current: data, isLost }],
    ),
    start,
    close: (id: string) => change((before) => before.filter((each) => each !== id)),
  };
}

export function useCancelExport(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => read(api.DELETE('/api/exports/{id}', { params: { path: { id } } })),
    onSuccess: () => client.invalidateQueries({ queryKey: exportOf(id).queryKey }),
    onError: notifyProblem,
  });
}
