import { Group, Table, type TableThProps, UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { useParameter } from './use-parameter.js';

interface Props extends TableThProps {
  label: string;
  /** The API's name of it. */
  by: string;
  /** In force while the address names none. */
  initial: string;
}

/** A column that the list is sorted by when its heading is pressed, and the other way round when pressed again. */
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
