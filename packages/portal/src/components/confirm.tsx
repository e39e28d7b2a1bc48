import { Button, Group, Stack, Text } from '@mantine/core';
import type { UseMutationResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { t } from 'i18next';
import { Dialog } from './dialog.js';
import { ProblemAlert } from './states.js';

interface Props {
  title: string;
  /** What will happen, and to whom. */
  children: ReactNode;
  /** The verb on the button. */
  action: string;
  /** Of the button: red where something is lost. */
  color?: 'red' | 'blue';
  opened: boolean;
  /** The request of the action. After the dialog is closed, a failure is a notice: `notifyOfLeft`. */
  change?: Pick<UseMutationResult, 'isPending' | 'error' | 'reset'>;
  /** In place of `change`, if the page below shows the failure. */
  pending?: boolean;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks before something that cannot be taken back, or takes long. */
export const Confirm = ({
  title,
  children,
  action,
  opened,
  change,
  pending = change?.isPending,
  onConfirm,
  onClose,
  color = 'red',
}: Props) => {
  const close = () => {
    change?.reset();
    onClose();
  };
  return (
    <Dialog opened={opened} onClose={close} title={title}>
      <Stack>
        <Text component="div" size="sm">
          {children}
        </Text>
        {change !== undefined && change.error !== null && <ProblemAlert error={change.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={close} data-autofocus>
            {t('Cancel')}
          </Button>
          <Button color={color} loading={pending} onClick={onConfirm}>
            {action}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
};
