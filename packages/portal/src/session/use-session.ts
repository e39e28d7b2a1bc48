import { useQuery } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { api, read } from '../api/client.js';
import type { components } from '../api/schema.js';
import { session } from './session.js';
import type { SessionState } from './tab-session.js';

export type Me = components['schemas']['ProfileDto'];

/** Id of the signed-in person. */
export const usePerson = (): string | undefined =>
  useSyncExternalStore(session.subscribe, () => session.person);

export const useSessionState = (): SessionState => useSyncExternalStore(session.subscribe, session.snapshot);

/** The signed-in person, with role and grants. */
export const useMe = () =>
  useQuery({ queryKey: ['me'], queryFn: ({ signal }) => read(api.GET('/api/users/me', { signal })) });

export const isAdmin = (me: Me | undefined): boolean => me?.role === 'admin';

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
