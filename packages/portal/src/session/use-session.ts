import { useQuery } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { api } from '../api/client.js';
import { queryClient } from '../api/query-client.js';
import type { components } from '../api/schema.js';
import { allRows, nextCursorOf } from '../api/use-list.js';
import { session } from './session.js';
import type { SessionState } from './session-store.js';

/** A person: service accounts do not sign in to the portal. */
export type Me = components['schemas']['ProfileDto'] & { email: string };

/** Id of the signed-in person. */
export const usePerson = (): string | undefined =>
  useSyncExternalStore(session.subscribe, () => session.person);

export const useSessionState = (): SessionState => useSyncExternalStore(session.subscribe, session.snapshot);

/** The profile contains the first grants only: of all others, those that let the person change something are added. */
async function loadMe(signal: AbortSignal): Promise<Me> {
  const { data, response } = await api.GET('/api/users/me', { signal });
  const me = data as Me;
  if (nextCursorOf(response.headers.get('Link')) === undefined) return me;
  const grants = [...(await grantsOf('editor', signal)), ...(await grantsOf('manager', signal))];
  return { ...me, grants };
}

const grantsOf = (role: 'editor' | 'manager', signal: AbortSignal): Promise<Me['grants']> =>
  allRows(
    (cursor) => api.GET('/api/users/me/grants', { params: { query: { role, cursor } }, signal }),
    ({ grants }) => grants,
  );

/** The signed-in person, with role and the grants that decide what the portal offers. */
export const useMe = () => useQuery({ queryKey: ['me'], queryFn: ({ signal }) => loadMe(signal) });

export const isAdmin = (me: Me | undefined): boolean => me?.role === 'admin';

/** As far as it is known: requests nothing, for texts that are also shown to people who are not signed in. */
export const isAdminNow = (): boolean => isAdmin(queryClient.getQueryData<Me>(['me']));
const onQuery = (listener: () => void): (() => void) => queryClient.getQueryCache().subscribe(listener);
export const useIsAdmin = (): boolean => useSyncExternalStore(onQuery, isAdminNow);

/** Admins manage every workspace, managers their own. */
export const manages = (me: Me | undefined, workspaceId: string): boolean =>
  isAdmin(me) ||
  me?.grants.some((grant) => grant.workspace_id === workspaceId && grant.role === 'manager') === true;

/** Whether the person may edit the report, by a grant on it or on its workspace. */
export const edits = (me: Me | undefined, report: { id: string; workspace_id: string }): boolean =>
  isAdmin(me) ||
  me?.grants.some(
    ({ workspace_id, report_id, role }) =>
      role !== 'viewer' &&
      (report_id === null ? workspace_id === report.workspace_id : report_id === report.id),
  ) === true;

export const managesAny = (me: Me | undefined): boolean =>
  isAdmin(me) || me?.grants.some(({ role }) => role === 'manager') === true;
