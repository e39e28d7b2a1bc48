import { Button, Group, Stack, Text } from '@mantine/core';
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
  pending?: boolean;
  error?: unknown;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks before something that cannot be taken back, or takes long. */
export const Confirm = ({
  title,
  children,
  action,
  opened,
  pending,
  error,
  onConfirm,
  onClose,
  color = 'red',
}: Props) => (
  <Dialog opened={opened} onClose={onClose} title={title}>
    <Stack>
      <Text component="div" size="sm">
        {children}
      </Text>
      {error !== null && error !== undefined && <ProblemAlert error={error} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose} data-autofocus>
          {t('Cancel')}
        </Button>
        <Button color={color} loading={pending} onClick={onConfirm}>
          {action}
        </Button>
      </Group>
    </Stack>
  </Dialog>
);
