import { Anchor, Button, Group, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { t } from 'i18next';
import { Link } from 'react-router';
import { Dialog } from '../components/dialog.js';
import { notifyDone } from '../components/notify.js';
import { ProblemAlert } from '../components/states.js';
import { basePath, settings } from '../settings.js';
import {
  type RequestedTarget,
  targetOfLink,
  useIsRequested,
  useRequestAccess,
} from './use-access-requests.js';

const MAX_REASON = 500;

const sentText = (): string =>
  settings.mailConfigured ? t('Request sent. You receive an email once it is decided.') : t('Request sent.');

interface DialogProps {
  /** Left out: the user enters its link. */
  target?: RequestedTarget;
  sending: ReturnType<typeof useRequestAccess>;
  onSent?: () => void;
  onClose: () => void;
}

function RequestDialog({ target: given, sending, onSent, onClose }: DialogProps) {
  const [link, setLink] = useState('');
  const [isInvalid, setInvalid] = useState(false);
  const [reason, setReason] = useState('');
  const send = () => {
    const target = given ?? targetOfLink(link);
    setInvalid(target === undefined);
    if (target === undefined) return;
    const onSuccess = () => {
      onClose();
      onSent?.();
    };
    // The reason is shown on one line.
    sending.mutate({ target, reason: reason.replaceAll(/\s+/g, ' ').trim() }, { onSuccess });
  };
  const cancel = () => {
    sending.reset();
    onClose();
  };
  return (
    <Dialog onClose={cancel} title={t('Request access')}>
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
          {given === undefined && (
            <TextInput
              label={t('Link to the report or workspace')}
              required
              value={link}
              onChange={(event) => setLink(event.currentTarget.value)}
              error={
                isInvalid &&
                t('Enter a link to a report or workspace of this portal: {{example}}', {
                  example: `${location.origin}${basePath}/reports/…`,
                })
              }
              data-autofocus
            />
          )}
          <Textarea
            label={t('Reason (optional)')}
            maxLength={MAX_REASON}
            autosize
            minRows={3}
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
            data-autofocus={given !== undefined || undefined}
          />
          {sending.error !== null && <ProblemAlert error={sending.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={cancel}>
              {t('Cancel')}
            </Button>
            <Button type="submit" loading={sending.isPending}>
              {t('Send request')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

/** A button that requests access to something that the user cannot see, or that the request is pending. */
export function RequestAccess({ target }: { target: RequestedTarget }) {
  const [isOpen, setOpen] = useState(false);
  const isRequested = useIsRequested(target);
  const sending = useRequestAccess();
  if (isRequested.isPending) return null;
  if (sending.isSuccess || isRequested.data === true)
    return (
      <Group gap={6} role="status">
        <IconCheck size={16} aria-hidden />
        <Text size="sm">{sentText()}</Text>
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
      {isOpen && <RequestDialog target={target} sending={sending} onClose={() => setOpen(false)} />}
    </>
  );
}

/** Requests access to a report or workspace whose link the user has. */
export default function RequestAccessByLink({ onClose }: Pick<DialogProps, 'onClose'>) {
  const sending = useRequestAccess();
  return <RequestDialog sending={sending} onSent={() => notifyDone(sentText())} onClose={onClose} />;
}
