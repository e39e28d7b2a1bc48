import { Text } from '@mantine/core';
import { t } from 'i18next';
import type { Total } from '../api/use-list.js';

interface Props {
  /** The result of `useList`. */
  list: { rows: unknown[] | undefined; hasNextPage: boolean; total?: Total };
  /** The number with its noun: `(count) => t('{{count}} reports', { count })`. */
  children: (count: number) => string;
}

function textOf(
  shown: number,
  hasMore: boolean,
  total: Total | undefined,
  rowsOf: Props['children'],
): string {
  if (!hasMore) return rowsOf(shown);
  // Rows that were added since the first page are not in the total.
  if (total === undefined || total.count < shown)
    return t('{{rows}} shown, more available', { rows: rowsOf(shown) });
  return total.isMore ? t('More than {{rows}}', { rows: rowsOf(total.count) }) : rowsOf(total.count);
}

/** The number of all rows, or of those that are loaded. */
export function RowCount({ list: { rows, hasNextPage, total }, children }: Props) {
  return (
    <Text size="sm" c="dimmed" role="status" mih={22}>
      {rows && textOf(rows.length, hasNextPage, total, children)}
    </Text>
  );
}
