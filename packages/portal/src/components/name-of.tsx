import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { t } from 'i18next';
import type { Choice, Source } from '../api/sources.js';
import { isGone } from './query-view.js';

/** The largest page: one call returns all names of an ordinary deployment. */
const MAX_NAMES = 1000;
const STALE_MS = 5 * 60_000;

interface Named {
  /** With the name. */
  choice: Choice | undefined;
  /** Why there is none; null while it loads. */
  error: unknown;
}

/** What an id names. */
export function useNamed({ kind, search, get }: Source, id: string): Named {
  const all = useQuery({
    queryKey: [kind, 'names'],
    queryFn: async ({ signal }) => {
      const { found } = await search({ limit: MAX_NAMES, signal });
      return new Map(found.map((each) => [each.id, each]));
    },
    staleTime: STALE_MS,
  });
  const known = all.data?.get(id);
  const one = useQuery({
    queryKey: [kind, 'chosen', id],
    queryFn: ({ signal }) => get(id, signal),
    enabled: known === undefined && !all.isPending,
    staleTime: STALE_MS,
  });
  return { choice: known ?? one.data, error: one.error };
}

interface Props {
  source: Source;
  id: string;
}

export function NameOf({ source, id }: Props) {
  const { choice, error } = useNamed(source, id);
  if (choice !== undefined) return choice.name;
  if (error === null) return <Text span inherit c="dimmed" children="…" />;
  return (
    <Text span inherit c="dimmed" title={id}>
      {isGone(error) ? t('Deleted') : t('Unknown')}
    </Text>
  );
}
