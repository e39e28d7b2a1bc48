import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { t } from 'i18next';
import type { Source } from '../api/sources.js';

/** The largest page: one call returns all names of an ordinary deployment. */
const MAX_NAMES = 1000;
const STALE_MS = 5 * 60_000;

/** The name for an id: undefined while it loads, null if it no longer exists. */
export function useName({ kind, search, get }: Source, id: string): string | null | undefined {
  const all = useQuery({
    queryKey: [kind, 'names'],
    queryFn: async ({ signal }) => {
      const { found } = await search({ limit: MAX_NAMES, signal });
      return new Map(found.map((each) => [each.id, each.name]));
    },
    staleTime: STALE_MS,
  });
  const name = all.data?.get(id);
  const one = useQuery({
    queryKey: [kind, 'chosen', id],
    queryFn: ({ signal }) => get(id, signal),
    enabled: name === undefined && !all.isPending,
    staleTime: STALE_MS,
  });
  return name ?? one.data?.name ?? (one.isError ? null : undefined);
}

interface Props {
  source: Source;
  id: string;
}

export function NameOf({ source, id }: Props) {
  const name = useName(source, id);
  if (name === undefined) return <Text span inherit c="dimmed" children="…" />;
  if (name !== null) return name;
  return (
    <Text span inherit c="dimmed" title={id}>
      {t('Deleted')}
    </Text>
  );
}
