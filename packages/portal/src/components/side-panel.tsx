import { Drawer } from '@mantine/core';
import { t } from 'i18next';
import type { ReactNode } from 'react';
import { useWindow } from './use-window.js';

interface Props {
  title: string;
  onClose: () => void;
  children: ReactNode;
}

/** A window at the right edge, beside the list that it belongs to. */
export function SidePanel({ title, onClose, children }: Props) {
  const isShown = useWindow(true, onClose);
  return (
    <Drawer
      opened={isShown}
      onClose={onClose}
      closeOnEscape={false}
      position="right"
      size="lg"
      title={title}
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      {children}
    </Drawer>
  );
}
