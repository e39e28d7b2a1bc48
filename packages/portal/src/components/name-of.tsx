import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Source } from '../api/sources.js';

/** As many as an answer holds: one call names everything in an ordinary deployment. */
const ALL = 1000;
const KEPT_MS = 5 * 60_000;

/** The name behind an id: undefined while it is looked up, null when it is gone. */
export function useName({ kind, search, get }: Source, id: string): string | null | undefined {
  const all = useQuery({
    queryKey: [kind, 'names'],
    queryFn: async ({ signal }) => {
      const { found } = await search({ limit: ALL, signal });
      return new Map(found.map((each) => [each.id, each.name]));
    },
    staleTime: KEPT_MS,
  });
  const name = all.data?.get(id);
  const one = useQuery({
    queryKey: [kind, 'chosen', id],
    queryFn: ({ signal }) => get(id, signal),
    enabled: name === undefined && !all.isPending,
    staleTime: KEPT_MS,
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
      no longer there
    </Text>
  );
}
