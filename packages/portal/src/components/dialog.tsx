import { Modal, type ModalProps } from '@mantine/core';
import { t } from 'i18next';

/** A window in the centre of the page. */
export const Dialog = ({ opened = true, ...props }: Omit<ModalProps, 'opened'> & { opened?: boolean }) => (
  <Modal opened={opened} centered closeButtonProps={{ 'aria-label': t('Close') }} {...props} />
);
