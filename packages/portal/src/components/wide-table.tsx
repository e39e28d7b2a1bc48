import { Table } from '@mantine/core';
import { type ReactNode, useLayoutEffect, useRef } from 'react';

interface Props {
  /** In a narrower window the table scrolls; on a phone it is stacked instead. */
  minWidth: number;
  children: ReactNode;
}

/** A header that is hidden needs no label either. */
const labelOf = (header: HTMLElement): string =>
  header.querySelector('.mantine-VisuallyHidden-root') === null ? header.textContent : '';

/** Names each cell by its header, for `wide-table` in portal.css. The first cell names the row. */
function labelCells(table: HTMLTableElement): void {
  const labels = [...(table.tHead?.rows[0]?.cells ?? [])].map(labelOf);
  for (const { rows } of table.tBodies)
    for (const { cells } of rows)
      for (const [index, cell] of [...cells].entries())
        cell.dataset.label = index === 0 ? '' : (labels[index] ?? '');
}

/** A table of many columns. On a phone each row is a list of its cells, so that no column is out of sight. */
export function WideTable({ minWidth, children }: Props) {
  const container = useRef<HTMLDivElement>(null);
  // With each rendering: rows are added and replaced.
  useLayoutEffect(() => {
    for (const table of container.current?.querySelectorAll('table') ?? []) labelCells(table);
  });
  return (
    <Table.ScrollContainer minWidth={minWidth} className="wide-table" ref={container}>
      {children}
    </Table.ScrollContainer>
  );
}
