import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, read } from './client.js';

export const reportQuery = (id: string) =>
  queryOptions({
    queryKey: ['report', id],
    queryFn: ({ signal }) => read(api.GET('/api/reports/{id}', { params: { path: { id } }, signal })),
  });

export const useReportDto = (id: string) => useQuery(reportQuery(id));
