import { Modal, type ModalProps } from '@mantine/core';
import { t } from 'i18next';
import { useWindow } from './use-window.js';

/** A window in the centre of the page. */
export function Dialog({ opened = true, ...props }: Omit<ModalProps, 'opened'> & { opened?: boolean }) {
  const isShown = useWindow(opened, props.onClose);
  return (
    <Modal
      opened={isShown}
      centered
      closeOnEscape={false}
      closeButtonProps={{ 'aria-label': t('Close') }}
      {...props}
    />
  );
}
