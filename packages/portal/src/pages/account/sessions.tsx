import { Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from 'i18next';
import { api, read } from '../../api/client.js';
import { Confirm } from '../../components/confirm.js';
import { QueryView } from '../../components/query-view.js';
import { Section } from './section.js';
import { type Session, SessionRow } from './session-row.js';
import { useSignOut } from './use-sign-out.js';

const useSessions = () =>
  useQuery({
    queryKey: ['sessions'],
    queryFn: async ({ signal }) => (await read(api.GET('/api/auth/sessions', { signal }))).sessions,
  });

function SignOutOthers() {
  const [opened, setOpened] = useState(false);
  const end = useSignOut(
    () => api.DELETE('/api/auth/sessions'),
    t('All other sessions were signed out.'),
    () => setOpened(false),
  );
  return (
    <Group>
      <Button variant="default" onClick={() => setOpened(true)}>
        {t('Sign out all other sessions')}
      </Button>
      <Confirm
        title={t('Sign out all other sessions?')}
        action={t('Sign out all other sessions')}
        opened={opened}
        change={end}
        onConfirm={() => end.mutate(undefined)}
        onClose={() => setOpened(false)}
      >
        {t('You will have to sign in again on your other devices. This session stays active.')}
      </Confirm>
    </Group>
  );
}

const currentFirst = (a: Session, b: Session): number => Number(b.current) - Number(a.current);

export function Sessions() {
  const query = useSessions();
  return (
    <Section title={t('Active sessions')}>
      <QueryView query={query}>
        {(sessions) => (
          <>
            {sessions.toSorted(currentFirst).map((session) => (
              <SessionRow key={session.id} session={session} />
            ))}
            {sessions.length > 1 ? (
              <SignOutOthers />
            ) : (
              <Text size="sm">{t('You have no other active sessions.')}</Text>
            )}
          </>
        )}
      </QueryView>
    </Section>
  );
}
