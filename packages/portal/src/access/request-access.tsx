import { Anchor, Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { ProblemAlert } from '../components/states.js';
import { settings } from '../settings.js';
import { type RequestedTarget, useIsRequested, useRequestAccess } from './use-access-requests.js';

const MAX_REASON = 500;

interface DialogProps {
  sending: ReturnType<typeof useRequestAccess>;
  onClose: () => void;
}

function ReasonDialog({ sending, onClose }: DialogProps) {
  const { t } = useTranslation();
  const [reason, setReason] = useState('');
  // The reason is shown on one line.
  const send = () => sending.mutate(reason.replaceAll(/\s+/g, ' ').trim(), { onSuccess: onClose });
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('Request access')}
      centered
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <Stack>
          <Text size="sm">
            {settings.mailConfigured
              ? t('The managers of the workspace receive your request by email.')
              : t('The managers of the workspace see your request in this portal.')}
          </Text>
          <Textarea
            label={t('Reason (optional)')}
            maxLength={MAX_REASON}
            autosize
            minRows={3}
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
            data-autofocus
          />
          {sending.error !== null && <ProblemAlert error={sending.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('Cancel')}
            </Button>
            <Button type="submit" loading={sending.isPending}>
              {t('Send request')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

/** A button that requests access to something that the user cannot see, or that the request is pending. */
export function RequestAccess({ target }: { target: RequestedTarget }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const isRequested = useIsRequested(target);
  const sending = useRequestAccess(target);
  if (isRequested.isPending) return null;
  if (sending.isSuccess || isRequested.data === true)
    return (
      <Group gap={6} role="status">
        <IconCheck size={16} aria-hidden />
        <Text size="sm">
          {settings.mailConfigured
            ? t('Request sent. You receive an email once it is decided.')
            : t('Request sent.')}
        </Text>
        <Anchor component={Link} to="/access-requests" size="sm">
          {t('Your access requests')}
        </Anchor>
      </Group>
    );
  return (
    <>
      <Button size="compact-sm" onClick={() => setOpen(true)}>
        {t('Request access')}
      </Button>
      {isOpen && <ReasonDialog sending={sending} onClose={() => setOpen(false)} />}
    </>
  );
}
