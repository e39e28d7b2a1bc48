import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, read } from '../../api/client.js';
import type { components } from '../../api/schema.js';
import { applyPreferences } from '../../session/preferences.js';
import type { Me } from '../../session/use-session.js';

export type ProfileChanges = components['schemas']['UpdateProfileDto'];

/** Changes the own profile; every place that shows it has the change at once. `onSaved` runs before another language is applied. */
export function useUpdateProfile(onSaved?: () => void) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: ProfileChanges) => read(api.PATCH('/api/users/me', { body })) as Promise<Me>,
    onSuccess: (changed, { name, locale, time_zone }) => {
      queryClient.setQueryData<Me>(['me'], (me) => ({ ...changed, grants: me?.grants ?? changed.grants }));
      if (name !== undefined) {
        void queryClient.invalidateQueries({ queryKey: ['users'] });
        void queryClient.invalidateQueries({ queryKey: ['principals'] });
      }
      onSaved?.();
      applyPreferences({ locale, time_zone });
    },
  });
}
