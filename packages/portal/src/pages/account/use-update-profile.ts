import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, read } from '../../api/client.js';
import { namesOfUsers, useReload } from '../../api/use-reload.js';
import type { components } from '../../api/schema.js';
import { applyPreferences } from '../../session/preferences.js';
import type { Me } from '../../session/use-session.js';

export type ProfileChanges = components['schemas']['UpdateProfileDto'];

/** Changes the own profile; every place that shows it has the change at once. `onSaved` runs before another language is applied. */
export function useUpdateProfile(onSaved?: () => void) {
  const queryClient = useQueryClient();
  const reload = useReload(namesOfUsers);
  return useMutation({
    mutationFn: (body: ProfileChanges) => read(api.PATCH('/api/users/me', { body })) as Promise<Me>,
    onSuccess: (changed, { name, locale, time_zone }) => {
      queryClient.setQueryData<Me>(['me'], (me) => ({ ...changed, grants: me?.grants ?? changed.grants }));
      if (name !== undefined) void reload();
      onSaved?.();
      applyPreferences({ locale, time_zone });
    },
  });
}
