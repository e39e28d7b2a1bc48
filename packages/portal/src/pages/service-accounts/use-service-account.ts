import { useMutation, useQuery } from '@tanstack/react-query';
import { api, read } from '../../api/client.js';
import type { components } from '../../api/schema.js';
import { useReload } from '../../api/use-reload.js';

export type ServiceAccount = components['schemas']['ServiceAccountDto'];
export type Secret = components['schemas']['ServiceAccountSecretDto'];
type Changes = components['schemas']['UpdateUserDto'];

const of = (id: string) => ({ path: { id } });

export const loadAccount = (id: string, signal?: AbortSignal) =>
  read(api.GET('/api/service-accounts/{id}', { params: of(id), signal }));

export const useServiceAccount = (id: string) =>
  useQuery({
    queryKey: ['service-accounts', 'one', id],
    queryFn: ({ signal }) => loadAccount(id, signal),
  });

/** What shows service accounts, their names and their access. */
const affected = ['service-accounts', 'principals', 'access'];

export const useAccountsChanged = () => useReload(affected);

export function useChangeAccount(id: string) {
  const changed = useAccountsChanged();
  return useMutation({
    mutationFn: (body: Changes) => read(api.PATCH('/api/service-accounts/{id}', { params: of(id), body })),
    onSuccess: changed,
  });
}

export function useAddSecret(id: string) {
  const changed = useAccountsChanged();
  return useMutation({
    mutationFn: (days: number) =>
      read(
        api.POST('/api/service-accounts/{id}/secrets', {
          params: of(id),
          body: { expires_in_days: days },
        }),
      ),
    onSuccess: changed,
  });
}

export function useRevokeSecret(id: string) {
  const changed = useAccountsChanged();
  return useMutation({
    mutationFn: (secretId: string) =>
      api.DELETE('/api/service-accounts/{id}/secrets/{secret_id}', {
        params: { path: { id, secret_id: secretId } },
      }),
    onSuccess: changed,
  });
}
