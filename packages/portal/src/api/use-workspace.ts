import { useQuery } from '@tanstack/react-query';
import { api, read } from './client.js';

export const useWorkspace = (id: string, enabled = true) =>
  useQuery({
    enabled,
    queryKey: ['workspaces', 'one', id],
    queryFn: ({ signal }) => read(api.GET('/api/workspaces/{id}', { params: { path: { id } }, signal })),
  });

export const settingsKey = (id: string) => ['workspaces', 'settings', id];

export const useWorkspaceSettings = (id: string) =>
  useQuery({
    queryKey: settingsKey(id),
    queryFn: ({ signal }) =>
      read(api.GET('/api/workspaces/{id}/settings', { params: { path: { id } }, signal })),
  });
