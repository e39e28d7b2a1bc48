import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useReloadAccess } from '../../access/use-grants.js';
import { api, read } from '../../api/client.js';
import type { components } from '../../api/schema.js';
import { onboardingKey } from '../../api/query-client.js';

export type Invitation = components['schemas']['InvitationDto'];
export type NewInvitation = components['schemas']['InviteUserDto'];

const of = ({ id }: Pick<Invitation, 'id'>) => ({ params: { path: { id } } });

/** Polling interval while an email is queued. */
export const POLL_INTERVAL_MS = 2000;

export const isQueued = ({ delivery }: Invitation): boolean => delivery === 'queued';

/** An invitation may grant access to an existing user, too; the first one is a step of the checklist. */
export function useInvitationsChanged() {
  const queryClient = useQueryClient();
  const reloadAccess = useReloadAccess();
  return useCallback(async () => {
    const changed = [['invitations'], onboardingKey];
    const reloads = changed.map((queryKey) => queryClient.invalidateQueries({ queryKey }));
    await Promise.all([...reloads, reloadAccess()]);
  }, [queryClient, reloadAccess]);
}

/** The invitation, polled while its email is queued. */
export const useInvitation = (invitation: Invitation) =>
  useQuery({
    queryKey: ['invitations', 'one', invitation.id],
    queryFn: ({ signal }) => read(api.GET('/api/invitations/{id}', { ...of(invitation), signal })),
    initialData: invitation,
    refetchInterval: ({ state }) =>
      state.data !== undefined && isQueued(state.data) ? POLL_INTERVAL_MS : false,
  });

export interface Invited {
  invitation: Invitation;
  isNew: boolean;
}

/** 201: a new invitation; 200: the user is already invited or has an account. */
export async function invite(body: NewInvitation, key?: string, signal?: AbortSignal): Promise<Invited> {
  const params = key === undefined ? {} : { header: { 'Idempotency-Key': key } };
  const { data, response } = await api.POST('/api/users/invite', { params, body, signal });
  return { invitation: data as Invitation, isNew: response.status === 201 };
}

export type BulkAccess = Omit<components['schemas']['BulkInviteDto'], 'users'>;
export type BulkUser = components['schemas']['ListedUserDto'];
export type BulkResult = components['schemas']['BulkInvitationDto'];

/** One result for each user, in the same order. */
export async function inviteAll(
  users: BulkUser[],
  access: BulkAccess,
  signal: AbortSignal,
): Promise<BulkResult[]> {
  const body = { ...access, users };
  return (await read(api.POST('/api/invitations/bulk', { body, signal }))).results;
}

export function useInvite() {
  const changed = useInvitationsChanged();
  return useMutation({ mutationFn: (body: NewInvitation) => invite(body), onSuccess: changed });
}

/** `done` runs before the lists are reloaded, because the row may leave them. */
export function useResend(done: (resent: Invitation) => void) {
  const changed = useInvitationsChanged();
  return useMutation({
    mutationFn: (invitation: Invitation) => read(api.POST('/api/invitations/{id}/resend', of(invitation))),
    onSuccess: done,
    onSettled: changed,
  });
}

export function useRevoke(done: (revoked: Invitation) => void) {
  const changed = useInvitationsChanged();
  return useMutation({
    mutationFn: (invitation: Invitation) => api.DELETE('/api/invitations/{id}', of(invitation)),
    onSuccess: (_, revoked) => done(revoked),
    onSettled: changed,
  });
}
