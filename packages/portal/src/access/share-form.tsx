import { Button, Group, Stack, Switch, Text, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMemo, useState } from 'react';
import { t } from 'i18next';
import { candidatesIn, type Choice } from '../api/sources.js';
import { distinctChoices, RemoteMultiSelect } from '../components/remote-multi-select.js';
import { ProblemAlert } from '../components/states.js';
import { settings } from '../settings.js';
import { expiryOf } from './expiry.js';
import { ExpiryInput } from './expiry-input.js';
import { isInvited, newRecipient } from './recipients.js';
import { TargetRoleSelect } from './role-select.js';
import type { WorkspaceRole } from './roles.js';
import type { Target } from './use-grants.js';
import { type Shared, useShare } from './use-share.js';

const MAX_MESSAGE = 500;

interface Props {
  target: Target;
  workspaceId: string;
  onShared: (shared: Shared) => void;
  onClose: () => void;
}

function Failures({ failed }: Pick<Shared, 'failed'>) {
  const [first] = failed;
  if (first === undefined) return null;
  const names = failed.map(({ recipient }) => recipient.name).join(', ');
  return (
    <>
      <Text size="sm" role="status">
        {t('Not shared with {{names}}.', { names })}
      </Text>
      <ProblemAlert error={first.error} />
    </>
  );
}

interface Values {
  recipients: Choice[];
  role: WorkspaceRole;
  expires: string;
  notifies: boolean;
  message: string;
}

export function ShareForm({ target, workspaceId, onShared, onClose }: Props) {
  const form = useForm<Values>({
    initialValues: {
      recipients: [],
      role: 'viewer',
      expires: '',
      notifies: settings.mailConfigured,
      message: '',
    },
  });
  const source = useMemo(() => candidatesIn(workspaceId), [workspaceId]);
  const share = useShare();
  const [typed, setTyped] = useState('');
  const { recipients, notifies } = form.values;
  const failed = share.data?.failed ?? [];
  const submit = form.onSubmit(({ expires, ...values }) => {
    const added = newRecipient(typed, recipients);
    const chosen = added === undefined ? recipients : distinctChoices([...recipients, added]);
    form.setFieldValue('recipients', chosen);
    setTyped('');
    share.mutate(
      { ...values, recipients: chosen, source, target, expiresAt: expiryOf(expires) },
      {
        onSuccess: (shared) => {
          // Those that remain can be tried again.
          form.setFieldValue(
            'recipients',
            shared.failed.map(({ recipient }) => recipient),
          );
          onShared(shared);
        },
      },
    );
  });
  const sendsMail = settings.mailConfigured && (notifies || recipients.some(isInvited));
  const expiryError = failed.map(({ error }) => error.of('expires_at')).find(Boolean);
  return (
    <form onSubmit={submit}>
      <Stack>
        {share.error !== null && <ProblemAlert error={share.error} />}
        <Failures failed={failed} />
        <RemoteMultiSelect
          label={t('Users and groups')}
          placeholder={t('Search by name or email')}
          description={t('Enter an email address to invite someone new.')}
          data-autofocus
          source={source}
          create={newRecipient}
          value={recipients}
          onChange={(chosen) => form.setFieldValue('recipients', chosen)}
          text={typed}
          onText={setTyped}
        />
        <TargetRoleSelect target={target.type} label={t('Role')} {...form.getInputProps('role')} />
        <ExpiryInput {...form.getInputProps('expires')} error={expiryError} />
        {settings.mailConfigured ? (
          <Switch
            label={t('Notify by email')}
            description={t('Users receive a link. Members of groups are not notified.')}
            {...form.getInputProps('notifies', { type: 'checkbox' })}
          />
        ) : (
          <Text size="sm" c="dimmed">
            {t('No mail server is configured. Users are not notified.')}
          </Text>
        )}
        {sendsMail && (
          <Textarea
            label={t('Message (optional)')}
            autosize
            minRows={2}
            maxRows={5}
            maxLength={MAX_MESSAGE}
            {...form.getInputProps('message')}
          />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('Cancel')}
          </Button>
          <Button
            type="submit"
            disabled={recipients.length === 0 && typed.trim() === ''}
            loading={share.isPending}
          >
            {t('Grant access')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
