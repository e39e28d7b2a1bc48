import { useQuery } from '@tanstack/react-query';
import { api, read } from '../../api/client.js';
import { usePeriod } from './period.js';

/** A response with figures: the same address returns a file for `Accept: text/csv`. */
export const figures = async <T extends object>(
  call: Promise<{ data?: T | string; response: Response }>,
): Promise<T> => (await read(call)) as T;

/** The figures of a period, by bucket. */
export const useQueryOfPeriod = () => {
  const { query, period } = usePeriod();
  return { ...query, bucket: period.bucket };
};

export function useOverview() {
  const query = useQueryOfPeriod();
  return useQuery({
    queryKey: ['usage', 'overview', query],
    queryFn: ({ signal }) => figures(api.GET('/api/usage/overview', { params: { query }, signal })),
  });
}

export function useReportUsage(id: string) {
  const query = useQueryOfPeriod();
  return useQuery({
    queryKey: ['usage', 'reports', id, query],
    queryFn: ({ signal }) =>
      figures(api.GET('/api/usage/reports/{id}', { params: { path: { id }, query }, signal })),
  });
}

export function useWorkspaceUsage(id: string | null) {
  const query = useQueryOfPeriod();
  return useQuery({
    enabled: id !== null,
    queryKey: ['usage', 'workspaces', id, query],
    queryFn: ({ signal }) =>
      figures(api.GET('/api/usage/workspaces/{id}', { params: { path: { id: id ?? '' }, query }, signal })),
  });
}

export function useGroupUsage(id: string | null) {
  const query = useQueryOfPeriod();
  return useQuery({
    enabled: id !== null,
    queryKey: ['usage', 'groups', id, query],
    queryFn: ({ signal }) =>
      figures(api.GET('/api/usage/groups/{id}', { params: { path: { id: id ?? '' }, query }, signal })),
  });
}

type ReportSort = '-views' | '-opening';

/** The five reports that come first. */
export function useTopReports(sort: ReportSort) {
  const { query } = usePeriod();
  return useQuery({
    queryKey: ['usage', 'reports', 'top', sort, query],
    queryFn: ({ signal }) =>
      figures(api.GET('/api/usage/reports', { params: { query: { ...query, sort, limit: 5 } }, signal })),
  });
}
