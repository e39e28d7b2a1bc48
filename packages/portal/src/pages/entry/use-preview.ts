import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { api, read } from '../../api/client.js';
import type { components } from '../../api/schema.js';

export type InvitationPreview = components['schemas']['InvitationPreviewDto'];

/** Read once: the link may be used in the meantime, which its form reports. Not kept after the page is left. */
const once = { staleTime: Infinity, gcTime: 0, refetchOnReconnect: false };

/** Who invites, and to what. Waits for `enabled`: a user who is signed in may not need it. */
export const useInvitationPreview = (
  token: string | null,
  enabled: boolean,
): UseQueryResult<InvitationPreview> =>
  useQuery({
    queryKey: ['invitation-preview', token],
    queryFn: ({ signal }) =>
      read(api.POST('/login/invitation/preview', { body: { token: token ?? '' }, signal })),
    enabled: enabled && token !== null,
    ...once,
  });

/** Whose password the link changes. */
export const useResetPreview = (token: string) =>
  useQuery({
    queryKey: ['reset-preview', token],
    queryFn: ({ signal }) => read(api.POST('/login/password-reset/preview', { body: { token }, signal })),
    ...once,
  });
