import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, read } from '../api/client.js';
import type { components } from '../api/schema.js';
import { basePath } from '../settings.js';
import { useReloadAccess } from './use-grants.js';

export type AccessRequest = components['schemas']['AccessRequestDto'];

export interface RequestedTarget {
  type: 'report' | 'workspace';
  id: string;
}

export type Decision = 'approve' | 'decline';

const KEY = ['access-requests'];

/** The report or workspace that a link of this portal leads to. */
export function targetOfLink(link: string): RequestedTarget | undefined {
  const home = location.origin + basePath;
  const path = link.trim();
  const found = /^\/(report|workspace)s\/([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})(?![\w-])/.exec(
    path.startsWith(home) ? path.slice(home.length) : '',
  );
  return found === null ? undefined : { type: found[1] as RequestedTarget['type'], id: found[2] ?? '' };
}

const bodyOf = ({ type, id }: RequestedTarget) =>
  type === 'report' ? { report_id: id } : { workspace_id: id };

const idOf = ({ type }: RequestedTarget, { report_id, workspace_id }: AccessRequest): string | null =>
  type === 'report' ? report_id : report_id === null ? workspace_id : null;

/** Whether the user has a pending request for the target. */
export const useIsRequested = (target: RequestedTarget) =>
  useQuery({
    queryKey: [...KEY, 'mine', 'pending'],
    queryFn: ({ signal }) =>
      read(
        api.GET('/api/access-requests', {
          params: { query: { mine: true, status: 'pending', limit: 1000 } },
          signal,
        }),
      ),
    select: ({ access_requests }) => access_requests.some((request) => idOf(target, request) === target.id),
  });

export function useRequestAccess() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ target, reason }: { target: RequestedTarget; reason: string }) =>
      api.POST('/api/access-requests', {
        body: { ...bodyOf(target), ...(reason !== '' && { reason }) },
      }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: KEY }),
  });
}

export function useDecide(onDone: (decided: AccessRequest) => void) {
  const queryClient = useQueryClient();
  const reloadAccess = useReloadAccess();
  return useMutation({
    mutationFn: ({ id, decision }: { id: string; decision: Decision }) =>
      decision === 'approve'
        ? read(api.POST('/api/access-requests/{id}/approve', { params: { path: { id } } }))
        : read(api.POST('/api/access-requests/{id}/decline', { params: { path: { id } } })),
    onSuccess: onDone,
    onSettled: () => Promise.all([queryClient.invalidateQueries({ queryKey: KEY }), reloadAccess()]),
  });
}
