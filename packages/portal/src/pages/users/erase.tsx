import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from 'i18next';
import { api } from '../../api/client.js';
import { namesOfUsers, useReload } from '../../api/use-reload.js';
import { Dialog } from '../../components/dialog.js';
import { notifyDone } from '../../components/notify.js';
import { Section } from '../../components/section.js';
import { ProblemAlert } from '../../components/states.js';
import { useShowList } from '../../components/use-show-list.js';
import type { Person } from './use-user.js';

function DeleteDialog({ user, onClose }: { user: Person; onClose: () => void }) {
  const [typed, setTyped] = useState('');
  const showList = useShowList('/users');
  const queryClient = useQueryClient();
  const reload = useReload(namesOfUsers);
  const erase = useMutation({
    mutationFn: () => api.POST('/api/users/{id}/erase', { params: { path: { id: user.id } } }),
    onSuccess: async () => {
      notifyDone(t('{{name}} was deleted.', { name: user.name }));
      await showList();
      queryClient.removeQueries({ queryKey: ['users', 'one', user.id] });
      await reload();
    },
  });
  const isConfirmed = typed.trim().toLowerCase() === user.email.toLowerCase();
  return (
    <Dialog onClose={onClose} title={t('Delete {{name}} permanently?', { name: user.name })}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isConfirmed) erase.mutate();
        }}
      >
        <Stack>
          {erase.error !== null && <ProblemAlert error={erase.error} />}
          <Text size="sm">
            {t(
              "The name, email address, attributes, access, identities and sessions are deleted. Audit events are kept until the end of their retention. This can't be undone.",
            )}
          </Text>
          <TextInput
            label={t('Type {{email}} to confirm', { email: user.email })}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            autoComplete="off"
            data-autofocus
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('Cancel')}
            </Button>
            <Button type="submit" color="red" disabled={!isConfirmed} loading={erase.isPending}>
              {t('Delete permanently')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

export function Erase({ user }: { user: Person }) {
  const [opened, setOpened] = useState(false);
  const lead =
    user.status === 'disabled'
      ? t('Permanently deletes the user and all personal data.')
      : t('Permanently deletes the user and all personal data. Disable the user first.');
  return (
    <Section title={t('Delete user')} lead={lead}>
      <Group>
        <Button
          color="red"
          variant="outline"
          disabled={user.status !== 'disabled'}
          onClick={() => setOpened(true)}
        >
          {t('Delete user permanently')}
        </Button>
      </Group>
      {opened && <DeleteDialog user={user} onClose={() => setOpened(false)} />}
    </Section>
  );
}
