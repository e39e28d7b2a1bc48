import { Table, type TableThProps, VisuallyHidden } from '@mantine/core';

/** The header of a column that needs no visible one. Unlike an `aria-label`, its text is translated by browsers. */
export const HiddenHeader = ({ label, ...rest }: TableThProps & { label: string }) => (
  <Table.Th {...rest}>
    <VisuallyHidden>{label}</VisuallyHidden>
  </Table.Th>
);
