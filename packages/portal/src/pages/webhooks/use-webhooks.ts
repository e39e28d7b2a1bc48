import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { api, read } from '../../api/client.js';
import type { components } from '../../api/schema.js';
import { useList } from '../../api/use-list.js';

type Schemas = components['schemas'];
export type Webhook = Schemas['WebhookDto'];
export type Delivery = Schemas['WebhookDeliveryDto'];
export type EventType = Webhook['types'][number];
type Changes = Schemas['UpdateWebhookDto'];
type Period = Schemas['RedeliverPeriodDto'];

const of = (id: string) => ({ params: { path: { id } } });

/** Milliseconds between two looks at deliveries that arrive without an action on the page. */
const RELOAD_MS = 10_000;

export const useWebhooks = () =>
  useList(
    ['webhooks', 'list'],
    (cursor, signal) => api.GET('/api/webhooks', { params: { query: { cursor, limit: 50 } }, signal }),
    ({ webhooks }) => webhooks,
  );

export const useWebhook = (id: string) =>
  useQuery({
    queryKey: ['webhooks', 'one', id],
    queryFn: ({ signal }) => read(api.GET('/api/webhooks/{id}', { ...of(id), signal })),
    refetchInterval: RELOAD_MS,
  });

/** Attempts, the newest first. */
export const useDeliveries = (id: string, status: Delivery['status'] | undefined) =>
  useList(
    ['webhooks', 'deliveries', id, status],
    (cursor, signal) =>
      api.GET('/api/webhooks/{id}/deliveries', {
        params: { path: { id }, query: { status, cursor, limit: 25 } },
        signal,
      }),
    ({ deliveries }) => deliveries,
    { lookAgain: () => RELOAD_MS },
  );

export const useLastDelivery = (id: string) =>
  useQuery({
    queryKey: ['webhooks', 'last-delivery', id],
    queryFn: async ({ signal }) => {
      const params = { path: { id }, query: { limit: 1 } };
      const { deliveries } = await read(api.GET('/api/webhooks/{id}/deliveries', { params, signal }));
      return deliveries[0] ?? null;
    },
  });

export function useWebhooksChanged() {
  const queryClient = useQueryClient();
  return useCallback(() => queryClient.invalidateQueries({ queryKey: ['webhooks'] }), [queryClient]);
}

function useAction<Input, Result>(mutationFn: (input: Input) => Promise<Result>) {
  return useMutation({ mutationFn, onSettled: useWebhooksChanged() });
}

export const useAddWebhook = () =>
  useAction((body: Schemas['CreateWebhookDto']) => read(api.POST('/api/webhooks', { params: {}, body })));

export const useChangeWebhook = (id: string) =>
  useAction((body: Changes) => read(api.PATCH('/api/webhooks/{id}', { ...of(id), body })));

export const useRollSecret = (id: string) =>
  useAction(() => read(api.POST('/api/webhooks/{id}/secrets', of(id))));

export const usePing = (id: string) => useAction(() => read(api.POST('/api/webhooks/{id}/ping', of(id))));

export const useRedeliver = (id: string) =>
  useAction((delivery: Delivery) =>
    read(
      api.POST('/api/webhooks/{id}/deliveries/{delivery_id}/redeliver', {
        params: { path: { id, delivery_id: delivery.id } },
      }),
    ),
  );

export const useRedeliverPeriod = (id: string) =>
  useAction((body: Period) => read(api.POST('/api/webhooks/{id}/redeliver', { ...of(id), body })));
