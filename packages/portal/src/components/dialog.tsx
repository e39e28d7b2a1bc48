import { Modal, type ModalProps } from '@mantine/core';
import { t } from 'i18next';
import { useEscape } from './use-escape.js';

/** A window in the centre of the page. */
export function Dialog({ opened = true, ...props }: Omit<ModalProps, 'opened'> & { opened?: boolean }) {
  useEscape(opened, props.onClose);
  return (
    <Modal
      opened={opened}
      centered
      closeOnEscape={false}
      closeButtonProps={{ 'aria-label': t('Close') }}
      {...props}
    />
  );
}
