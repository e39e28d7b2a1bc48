import { Table } from '@mantine/core';
import { type ReactNode, useLayoutEffect, useRef } from 'react';

interface Props {
  /** In a narrower space the table scrolls; in that of a phone it is stacked instead. */
  minWidth: number;
  children: ReactNode;
}

/** A header that is hidden needs no label either. */
const labelOf = (header: HTMLElement): string =>
  header.querySelector('.mantine-VisuallyHidden-root') === null ? header.textContent : '';

const roles = { table: 'table', 'thead, tbody': 'rowgroup', tr: 'row', th: 'columnheader', td: 'cell' };

/** For screen readers, some of which see no table where the styles of a phone change the display of its parts. */
function setRoles(container: HTMLElement): void {
  for (const [selector, role] of Object.entries(roles))
    for (const part of container.querySelectorAll(selector)) part.setAttribute('role', role);
}

/** Names each cell by its header, for `wide-table` in portal.css. The first cell names the row. */
function labelCells(table: HTMLTableElement): void {
  const labels = [...(table.tHead?.rows[0]?.cells ?? [])].map(labelOf);
  for (const { rows } of table.tBodies)
    for (const { cells } of rows)
      for (const [index, cell] of [...cells].entries())
        cell.dataset.label = index === 0 ? '' : (labels[index] ?? '');
}

/** A table of many columns. In a narrow space each row is a list of its cells, so that no column is out of sight. */
export function WideTable({ minWidth, children }: Props) {
  const container = useRef<HTMLDivElement>(null);
  // With each rendering: rows are added and replaced.
  useLayoutEffect(() => {
    if (container.current === null) return;
    for (const table of container.current.querySelectorAll('table')) labelCells(table);
    setRoles(container.current);
  });
  return (
    <Table.ScrollContainer minWidth={minWidth} className="wide-table" ref={container}>
      {children}
    </Table.ScrollContainer>
  );
}
