import { ActionIcon, Tooltip } from '@mantine/core';
import type { ComponentType } from 'react';

interface Props {
  label: string;
  icon: ComponentType<{ size?: number }>;
  onClick: () => void;
  disabled?: boolean;
}

export const IconButton = ({ label, icon: Icon, ...rest }: Props) => (
  <Tooltip label={label} events={{ hover: true, focus: true, touch: false }}>
    <ActionIcon variant="default" size="md" aria-label={label} {...rest}>
      <Icon size={16} />
    </ActionIcon>
  </Tooltip>
);
