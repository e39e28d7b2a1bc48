import { Button, type ButtonProps } from '@mantine/core';
import type { ComponentPropsWithRef, ComponentType } from 'react';

interface Props extends ButtonProps, Omit<ComponentPropsWithRef<'button'>, keyof ButtonProps> {
  label: string;
  icon: ComponentType<{ size?: number }>;
}

/** A button of the report's toolbar: only its icon where space is short. */
export const ToolButton = ({ label, icon: Icon, ...rest }: Props) => (
  <Button
    variant="default"
    size="compact-sm"
    h={32}
    data-tool
    aria-label={label}
    leftSection={<Icon size={16} aria-hidden />}
    {...rest}
  >
    {label}
  </Button>
);
