import { Text } from '@mantine/core';
import { t } from 'i18next';

interface Props {
  /** The result of `useList`. */
  list: { rows: unknown[] | undefined; hasNextPage: boolean };
  /** The number with its noun: `(count) => t('{{count}} reports', { count })`. */
  children: (count: number) => string;
}

/** The number of rows that are loaded. */
export function RowCount({ list: { rows, hasNextPage }, children }: Props) {
  const words = rows && children(rows.length);
  return (
    <Text size="sm" c="dimmed" role="status" mih={22}>
      {words !== undefined && (hasNextPage ? t('{{rows}} shown, more available', { rows: words }) : words)}
    </Text>
  );
}
