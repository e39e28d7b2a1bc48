import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, read } from '../../api/client.js';
import { namesOfUsers, useReload } from '../../api/use-reload.js';
import type { components } from '../../api/schema.js';

export type User = components['schemas']['UserDto'] & { source?: 'manual' | 'scim' };
/** A user who is no service account. */
export type Person = User & { email: string };
export const isPerson = (user: User): user is Person => user.email !== null;

/** Name and status of such a user come from the identity provider. */
export const isProvisioned = ({ source }: User): boolean => source === 'scim';

type Changes = components['schemas']['UpdateUserDto'];

const of = (id: string) => ({ path: { id } });

export const useUser = (id: string) =>
  useQuery({
    queryKey: ['users', 'one', id],
    queryFn: ({ signal }) => read(api.GET('/api/users/{id}', { params: of(id), signal })),
  });

const affected = [...namesOfUsers, 'me', 'access'];

export function useChangeUser(id: string) {
  const queryClient = useQueryClient();
  const reload = useReload(affected);
  return useMutation({
    mutationFn: (body: Changes) => read(api.PATCH('/api/users/{id}', { params: of(id), body })),
    onSuccess: async (user) => {
      queryClient.setQueryData(['users', 'one', id], user);
      await reload();
    },
  });
}
