import { Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, read } from '../../api/client.js';
import { Confirm } from '../../components/confirm.js';
import { QueryView } from '../../components/query-view.js';
import { Section } from './section.js';
import { type Session, SessionRow } from './session-row.js';
import { useEnd } from './use-end.js';

const useSessions = () =>
  useQuery({
    queryKey: ['sessions'],
    queryFn: async ({ signal }) => (await read(api.GET('/api/auth/sessions', { signal }))).sessions,
  });

function EndOthers() {
  const [opened, setOpened] = useState(false);
  const end = useEnd(
    () => api.DELETE('/api/auth/sessions'),
    'All your other sessions have ended.',
    () => setOpened(false),
  );
  return (
    <Group>
      <Button variant="default" onClick={() => setOpened(true)}>
        End all others
      </Button>
      <Confirm
        title="End all other sessions?"
        action="End all others"
        opened={opened}
        pending={end.isPending}
        error={end.error}
        onConfirm={() => end.mutate(undefined)}
        onClose={() => setOpened(false)}
      >
        Wherever else you are signed in, you will have to sign in again. This session goes on.
      </Confirm>
    </Group>
  );
}

const current = (a: Session, b: Session): number => Number(b.current) - Number(a.current);

export function Sessions() {
  const query = useSessions();
  return (
    <Section title="Where you are signed in">
      <QueryView query={query}>
        {(sessions) => (
          <>
            {sessions.toSorted(current).map((session) => (
              <SessionRow key={session.id} session={session} />
            ))}
            {sessions.length > 1 ? <EndOthers /> : <Text size="sm">Nowhere but here.</Text>}
          </>
        )}
      </QueryView>
    </Section>
  );
}
