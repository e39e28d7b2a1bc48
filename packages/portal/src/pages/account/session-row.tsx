import { Badge, Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { Trans } from 'react-i18next';
import { t } from 'i18next';
import { api } from '../../api/client.js';
import type { components } from '../../api/schema.js';
import { Confirm } from '../../components/confirm.js';
import { Time } from '../../components/time.js';
import { msg } from '../../i18n/index.js';
import { deviceOf } from './device.js';
import { useSignOut } from './use-sign-out.js';

export type Session = components['schemas']['SessionDto'];

/** How a session was started. */
export const methods: Record<Session['method'], string> = {
  password: msg('Password'),
  oidc: msg('Organization sign-in'),
  invitation: msg('Invitation'),
  exchange: msg('Other application'),
  client: msg('Client secret'),
};

function SignOut({ session }: { session: Session }) {
  const [opened, setOpened] = useState(false);
  const device = deviceOf(session.user_agent);
  const end = useSignOut(
    () => api.DELETE('/api/auth/sessions/{id}', { params: { path: { id: session.id } } }),
    t('Session signed out.'),
    () => setOpened(false),
  );
  return (
    <>
      <Button
        variant="default"
        size="xs"
        aria-label={t('Sign out {{device}}', { device })}
        onClick={() => setOpened(true)}
      >
        {t('Sign out')}
      </Button>
      <Confirm
        title={t('Sign out {{device}}?', { device })}
        action={t('Sign out')}
        opened={opened}
        change={end}
        onConfirm={() => end.mutate()}
        onClose={() => setOpened(false)}
      >
        {t('{{device}} ({{ip}}) will have to sign in again.', { device, ip: session.ip })}
      </Confirm>
    </>
  );
}

export const SessionRow = ({ session }: { session: Session }) => (
  <Group
    justify="space-between"
    wrap="nowrap"
    align="flex-start"
    role="group"
    aria-label={deviceOf(session.user_agent)}
  >
    <div>
      <Group gap="xs">
        <Text fw={500} title={session.user_agent}>
          {deviceOf(session.user_agent)}
        </Text>
        {session.current && (
          <Badge variant="light" color="teal">
            {t('This device')}
          </Badge>
        )}
      </Group>
      <Text size="sm" component="div">
        {session.ip} · {t(methods[session.method])} ·{' '}
        <Trans i18nKey="Signed in <time />" components={{ time: <Time at={session.created_at} /> }} /> ·{' '}
        <Trans i18nKey="Last active <time />" components={{ time: <Time at={session.last_used_at} /> }} />
      </Text>
    </div>
    {!session.current && <SignOut session={session} />}
  </Group>
);
