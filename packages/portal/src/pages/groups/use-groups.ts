import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { holderOf } from '../../access/holder.js';
import { useReloadAccess } from '../../access/use-grants.js';
import { api, read } from '../../api/client.js';
import type { components } from '../../api/schema.js';
import type { Choice } from '../../api/sources.js';

type Schemas = components['schemas'];
export type Group = Schemas['GroupDto'];
export type GroupMember = Schemas['GroupMemberDto'];
/** A new group has a name. */
export type GroupValues = Schemas['UpdateGroupDto'];

const at = (id: string) => ({ params: { path: { id } } });

export const useGroup = (id: string) =>
  useQuery({
    queryKey: ['groups', 'one', id],
    queryFn: ({ signal }) => read(api.GET('/api/groups/{id}', { ...at(id), signal })),
  });

export function useCreateGroup() {
  const onSuccess = useReloadAccess();
  return useMutation({
    mutationFn: ({ name = '', description }: GroupValues) =>
      read(api.POST('/api/groups', { params: {}, body: { name, description } })),
    onSuccess,
  });
}

export function useUpdateGroup(id: string) {
  const onSuccess = useReloadAccess();
  return useMutation({
    mutationFn: (body: GroupValues) => read(api.PATCH('/api/groups/{id}', { ...at(id), body })),
    onSuccess,
  });
}

/** The page of the group leaves before its queries are removed: it would load the group again. */
export function useDeleteGroup(id: string, leave: () => Promise<void> | void) {
  const queryClient = useQueryClient();
  const reload = useReloadAccess();
  return useMutation({
    mutationFn: () => api.DELETE('/api/groups/{id}', at(id)),
    onSuccess: async () => {
      await leave();
      queryClient.removeQueries({ queryKey: ['groups', 'one', id] });
      await reload();
    },
  });
}

/** Adds all of these users and groups, or none. */
export function useAddMembers(id: string) {
  const onSuccess = useReloadAccess();
  return useMutation({
    mutationFn: (chosen: readonly Choice[]) => {
      const members = chosen.map((choice) => holderOf(choice.id));
      const idsOf = (type: 'user' | 'group') =>
        members.filter((member) => member.type === type).map((member) => member.id);
      const body = { users: idsOf('user'), groups: idsOf('group') };
      return api.POST('/api/groups/{id}/members', { ...at(id), body });
    },
    onSuccess,
  });
}

export function useRemoveMember(id: string) {
  const onSuccess = useReloadAccess();
  return useMutation({
    mutationFn: (member: GroupMember) =>
      member.type === 'user'
        ? api.DELETE('/api/groups/{id}/members/users/{user_id}', {
            params: { path: { id, user_id: member.id } },
          })
        : api.DELETE('/api/groups/{id}/members/groups/{group_id}', {
            params: { path: { id, group_id: member.id } },
          }),
    onSuccess,
  });
}
