import { useMutation, useQuery } from '@tanstack/react-query';
import { api, read } from '../../api/client.js';
import { basePath } from '../../settings.js';
import { type ServiceAccount, useAccountsChanged } from '../service-accounts/use-service-account.js';

export const scimUrl = `${location.origin}${basePath}/scim/v2`;

const SCOPE = 'scim';

export interface NewToken {
  name: string;
  days: number | string;
}

const usesScim = ({ scopes }: ServiceAccount): boolean => scopes.includes(SCOPE);

/** The service accounts that may provision, among the 1,000 newest. */
export const useTokens = () =>
  useQuery({
    queryKey: ['service-accounts', 'scim'],
    queryFn: async ({ signal }) => {
      const query = { sort: '-created_at', limit: 1000 } as const;
      const page = await read(api.GET('/api/service-accounts', { params: { query }, signal }));
      return page.service_accounts.filter(usesScim);
    },
  });

export function useCreateToken() {
  const changed = useAccountsChanged();
  return useMutation({
    mutationFn: ({ name, days }: NewToken) =>
      read(
        api.POST('/api/service-accounts', {
          params: {},
          body: { name, expires_in_days: Number(days), scopes: [SCOPE] },
        }),
      ),
    onSuccess: () => changed(),
  });
}

/** The newest change that the account made; null without any. */
export const useLastChange = (accountId: string) =>
  useQuery({
    queryKey: ['audit', 'last', accountId],
    queryFn: async ({ signal }) => {
      const query = { actor_id: accountId, outcome: 'allowed', limit: 1 } as const;
      const page = await read(api.GET('/api/audit-events', { params: { query }, signal }));
      return typeof page === 'string' ? null : (page.audit_events[0] ?? null);
    },
  });
