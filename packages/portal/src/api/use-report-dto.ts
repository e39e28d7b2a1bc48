import { useQuery } from '@tanstack/react-query';
import { api, read } from './client.js';

export const useReportDto = (id: string) =>
  useQuery({
    queryKey: ['report', id],
    queryFn: ({ signal }) => read(api.GET('/api/reports/{id}', { params: { path: { id } }, signal })),
  });
