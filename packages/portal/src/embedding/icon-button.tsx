import { ActionIcon } from '@mantine/core';
import type { ComponentType, Ref } from 'react';

interface Props {
  label: string;
  icon: ComponentType<{ size?: number }>;
  onClick: () => void;
  disabled?: boolean;
  ref?: Ref<HTMLButtonElement>;
}

export const IconButton = ({ label, icon: Icon, ...rest }: Props) => (
  <ActionIcon variant="default" size="md" aria-label={label} title={label} {...rest}>
    <Icon size={16} />
  </ActionIcon>
);
