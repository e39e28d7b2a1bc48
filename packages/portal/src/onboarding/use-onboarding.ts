import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, read } from '../api/client.js';
import { onboardingKey } from '../api/query-client.js';
import type { components } from '../api/schema.js';

export type OnboardingState = components['schemas']['OnboardingDto'];

/** Only for administrators. */
export const useOnboarding = (enabled: boolean) =>
  useQuery({
    queryKey: onboardingKey,
    queryFn: ({ signal }) => read(api.GET('/api/settings/onboarding', { signal })),
    enabled,
  });

/** Hides the checklist for all administrators. */
export function useDismissOnboarding() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => read(api.PUT('/api/settings/onboarding', { body: { dismissed: true } })),
    onSuccess: (state: OnboardingState) => client.setQueryData(onboardingKey, state),
  });
}
