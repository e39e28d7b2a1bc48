import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, read } from '../api/client.js';
import type { WorkspaceRole } from './roles.js';

/** Who, and where. */
export interface Place {
  userId: string;
  workspaceId: string;
}

interface Given extends Place {
  role: WorkspaceRole;
  ends: string | undefined;
}

const at = ({ workspaceId, userId }: Place) => ({
  params: { path: { id: workspaceId, user_id: userId } },
});

/** What somebody sees changed: for the person, in the workspace, and perhaps for whoever looks. */
function useChanged() {
  const queryClient = useQueryClient();
  return () =>
    Promise.all(
      [['users'], ['workspaces'], ['me'], ['access']].map((queryKey) =>
        queryClient.invalidateQueries({ queryKey }),
      ),
    );
}

export function useSetGrant() {
  const changed = useChanged();
  return useMutation({
    mutationFn: ({ role, ends, ...place }: Given) =>
      read(
        api.PUT('/api/workspaces/{id}/members/{user_id}', {
          ...at(place),
          body: { role, expires_at: ends },
        }),
      ),
    onSuccess: changed,
  });
}

export function useRemoveGrant() {
  const changed = useChanged();
  return useMutation({
    mutationFn: (place: Place) => api.DELETE('/api/workspaces/{id}/members/{user_id}', at(place)),
    onSuccess: changed,
  });
}
