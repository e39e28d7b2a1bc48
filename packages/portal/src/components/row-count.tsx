import { Text } from '@mantine/core';

interface Props {
  /** What `useList` gives. */
  list: { rows: unknown[] | undefined; hasNextPage: boolean };
  one: string;
  many: string;
}

/** How many there are, as far as they were read. */
export function RowCount({ list: { rows, hasNextPage }, one, many }: Props) {
  const count = rows?.length ?? 0;
  const words = hasNextPage ? `The first ${count} ${many}` : `${count} ${count === 1 ? one : many}`;
  return (
    <Text size="sm" c="dimmed" role="status" mih={22}>
      {rows !== undefined && words}
    </Text>
  );
}
