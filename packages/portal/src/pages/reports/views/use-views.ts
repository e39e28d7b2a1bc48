import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, read } from '../../../api/client.js';
import type { components } from '../../../api/schema.js';
import { allRows } from '../../../api/use-list.js';

type Schemas = components['schemas'];
export type View = Schemas['ListedViewDto'];

const keyOf = (reportId: string) => ['reports', reportId, 'views'];

export const useViews = (reportId: string, enabled = true) =>
  useQuery({
    enabled,
    queryKey: keyOf(reportId),
    queryFn: ({ signal }) =>
      allRows(
        (cursor) => {
          const params = { path: { id: reportId }, query: { limit: 200, cursor } };
          return api.GET('/api/reports/{id}/views', { params, signal });
        },
        ({ views }) => views,
      ),
  });

/** A view with its state. */
export const useView = (reportId: string, viewId: string | null) =>
  useQuery({
    enabled: viewId !== null,
    queryKey: [...keyOf(reportId), viewId],
    queryFn: ({ signal }) => {
      const params = { path: { id: reportId, view_id: viewId ?? '' } };
      return read(api.GET('/api/reports/{id}/views/{view_id}', { params, signal }));
    },
    staleTime: Infinity,
  });

/** Reads the views again after a change. */
function useChange<Input, Output>(reportId: string, change: (input: Input) => Promise<Output>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: () => client.invalidateQueries({ queryKey: keyOf(reportId), exact: true }),
  });
}

export const useSaveView = (reportId: string) =>
  useChange(reportId, (body: Schemas['CreateSavedViewDto']) =>
    read(api.POST('/api/reports/{id}/views', { params: { path: { id: reportId } }, body })),
  );

export const useRenameView = (reportId: string) =>
  useChange(reportId, ({ id, name }: Pick<View, 'id' | 'name'>) =>
    read(
      api.PATCH('/api/reports/{id}/views/{view_id}', {
        params: { path: { id: reportId, view_id: id } },
        body: { name },
      }),
    ),
  );

export const useDeleteView = (reportId: string) =>
  useChange(reportId, ({ id }: Pick<View, 'id'>) =>
    read(
      api.DELETE('/api/reports/{id}/views/{view_id}', {
        params: { path: { id: reportId, view_id: id } },
      }),
    ),
  );
