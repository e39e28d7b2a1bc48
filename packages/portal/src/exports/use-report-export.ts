import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, read } from '../api/client.js';
import type { components } from '../api/schema.js';

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

/** The export of a report that was started in this tab, also after a reload. */
function useExportId(reportId: string) {
  const stored = `vitrine.export.${reportId}`;
  const [id, setId] = useState(() => sessionStorage.getItem(stored));
  const store = (next: string | null): void => {
    if (next === null) sessionStorage.removeItem(stored);
    else sessionStorage.setItem(stored, next);
    setId(next);
  };
  return [id, store] as const;
}

/** One export of a report: its request, its progress and its file. */
export function useReportExport(reportId: string) {
  const client = useQueryClient();
  const [id, setId] = useExportId(reportId);
  const key = ['exports', id];

  const current = useQuery({
    queryKey: key,
    enabled: id !== null,
    queryFn: ({ signal }) =>
      read(api.GET('/api/exports/{id}', { params: { path: { id: id ?? '' } }, signal })),
    refetchInterval: ({ state: { data } }) => (data !== undefined && isActive(data) ? POLL_MS : false),
  });
  const start = useMutation({
    mutationFn: (body: components['schemas']['CreateExportDto']) =>
      read(api.POST('/api/reports/{id}/exports', { params: { path: { id: reportId } }, body })),
    onSuccess: (created) => {
      client.setQueryData(['exports', created.id], created);
      setId(created.id);
    },
  });
  const cancel = useMutation({
    mutationFn: (exportId: string) =>
      read(api.DELETE('/api/exports/{id}', { params: { path: { id: exportId } } })),
    onSuccess: () => client.invalidateQueries({ queryKey: key }),
  });
  return {
    current: id === null ? undefined : current.data,
    /** Its status can no longer be read. */
    isLost: current.isError,
    start,
    cancel,
    close: () => setId(null),
  };
}
