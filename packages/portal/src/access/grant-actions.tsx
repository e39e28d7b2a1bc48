import { ActionIcon, Group, Tooltip } from '@mantine/core';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import { t } from 'i18next';

interface Props {
  /** The name of the row, for screen readers. */
  of: string;
  onChange: () => void;
  onRemove: () => void;
}

export const RemoveAction = ({ of, onRemove }: Omit<Props, 'onChange'>) => (
  <Tooltip label={t('Remove')}>
    <ActionIcon
      variant="subtle"
      color="red"
      aria-label={t('Remove {{name}}', { name: of })}
      onClick={onRemove}
    >
      <IconTrash size={18} aria-hidden />
    </ActionIcon>
  </Tooltip>
);

export const GrantActions = ({ of, onChange, onRemove }: Props) => (
  <Group gap={4} justify="flex-end" wrap="nowrap">
    <Tooltip label={t('Edit')}>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={t('Edit {{name}}', { name: of })}
        onClick={onChange}
      >
        <IconPencil size={18} aria-hidden />
      </ActionIcon>
    </Tooltip>
    <RemoveAction of={of} onRemove={onRemove} />
  </Group>
);
