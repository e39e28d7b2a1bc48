import { useMutation } from '@tanstack/react-query';
import { api, read } from '../api/client.js';
import type { components } from '../api/schema.js';
import { useReload } from '../api/use-reload.js';
import type { HolderRef } from './holder.js';
import type { WorkspaceRole } from './roles.js';

/** What a grant gives access to. */
export interface Target {
  type: 'workspace' | 'report';
  id: string;
}

/** Who has access, and to what. */
export interface Place {
  holder: HolderRef;
  target: Target;
}

interface NewGrant extends Place {
  role: WorkspaceRole;
  expiresAt: string | undefined;
}

const ofUser = ({ target, holder }: Place) => ({ params: { path: { id: target.id, user_id: holder.id } } });
const ofGroup = ({ target, holder }: Place) => ({ params: { path: { id: target.id, group_id: holder.id } } });

export function putGrant({ role, expiresAt: expires_at, ...place }: NewGrant) {
  const isUser = place.holder.type === 'user';
  if (place.target.type === 'workspace') {
    const body = { role, expires_at };
    return isUser
      ? api.PUT('/api/workspaces/{id}/grants/users/{user_id}', { ...ofUser(place), body })
      : api.PUT('/api/workspaces/{id}/grants/groups/{group_id}', { ...ofGroup(place), body });
  }
  // The role picker of a report does not offer `manager`.
  const body = { role: role as components['schemas']['SetReportGrantDto']['role'], expires_at };
  return isUser
    ? api.PUT('/api/reports/{id}/grants/users/{user_id}', { ...ofUser(place), body })
    : api.PUT('/api/reports/{id}/grants/groups/{group_id}', { ...ofGroup(place), body });
}

function remove(place: Place) {
  const isUser = place.holder.type === 'user';
  if (place.target.type === 'workspace') {
    return isUser
      ? api.DELETE('/api/workspaces/{id}/grants/users/{user_id}', ofUser(place))
      : api.DELETE('/api/workspaces/{id}/grants/groups/{group_id}', ofGroup(place));
  }
  return isUser
    ? api.DELETE('/api/reports/{id}/grants/users/{user_id}', ofUser(place))
    : api.DELETE('/api/reports/{id}/grants/groups/{group_id}', ofGroup(place));
}

const affected = ['users', 'workspaces', 'reports', 'report', 'groups', 'me', 'access'];

/** Reloads whatever shows rights: a changed grant or group can concern the reader too. */
export const useReloadAccess = () => useReload(affected);

export function useSetGrant() {
  const onSuccess = useReloadAccess();
  return useMutation({ mutationFn: (grant: NewGrant) => read(putGrant(grant)), onSuccess });
}

export function useRemoveGrant() {
  const onSuccess = useReloadAccess();
  return useMutation({ mutationFn: remove, onSuccess });
}
