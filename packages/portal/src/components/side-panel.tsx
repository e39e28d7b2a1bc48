import { Drawer } from '@mantine/core';
import { t } from 'i18next';
import type { ReactNode } from 'react';
import { useEscape } from './use-escape.js';

interface Props {
  title: string;
  onClose: () => void;
  children: ReactNode;
}

/** A window at the right edge, beside the list that it belongs to. */
export function SidePanel({ title, onClose, children }: Props) {
  useEscape(true, onClose);
  return (
    <Drawer
      opened
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
