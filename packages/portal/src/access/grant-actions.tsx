import { ActionIcon, Group, Tooltip } from '@mantine/core';
import { IconPencil, IconTrash } from '@tabler/icons-react';

interface Props {
  /** Whose or of what, for those who hear the buttons instead of seeing their row. */
  of: string;
  onChange: () => void;
  onRemove: () => void;
}

export const GrantActions = ({ of, onChange, onRemove }: Props) => (
  <Group gap={4} justify="flex-end" wrap="nowrap">
    <Tooltip label="Change">
      <ActionIcon variant="subtle" color="gray" aria-label={`Change ${of}`} onClick={onChange}>
        <IconPencil size={18} aria-hidden />
      </ActionIcon>
    </Tooltip>
    <Tooltip label="Take away">
      <ActionIcon variant="subtle" color="red" aria-label={`Take ${of} away`} onClick={onRemove}>
        <IconTrash size={18} aria-hidden />
      </ActionIcon>
    </Tooltip>
  </Group>
);
