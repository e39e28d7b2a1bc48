import { Group, Table, type TableThProps, UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { useParameter } from './use-parameter.js';

interface Props extends TableThProps {
  label: string;
  /** The column's name in the API. */
  by: string;
  /** The sorting without a URL parameter. */
  initial: string;
}

/** A column header that sorts the list, in reverse when pressed again. */
export function SortHeader({ label, by, initial, ...rest }: Props) {
  const [given, set] = useParameter('sort');
  const sort = given ?? initial;
  const direction = sort === by ? 'ascending' : sort === `-${by}` ? 'descending' : 'none';
  const turn = (): void => set(direction === 'ascending' ? `-${by}` : by);
  const Arrow = direction === 'descending' ? IconArrowDown : IconArrowUp;
  return (
    <Table.Th aria-sort={direction} {...rest}>
      <UnstyledButton fw="inherit" fz="inherit" ta="inherit" mih={24} onClick={turn}>
        <Group gap={4} wrap="nowrap">
          {label}
          <Arrow size={14} aria-hidden opacity={direction === 'none' ? 0 : 1} />
        </Group>
      </UnstyledButton>
    </Table.Th>
  );
}
