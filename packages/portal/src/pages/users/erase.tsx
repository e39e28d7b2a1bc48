import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { api } from '../../api/client.js';
import { notifyDone } from '../../components/notify.js';
import { Section } from '../../components/section.js';
import { ProblemAlert } from '../../components/states.js';
import type { User } from './use-user.js';

function EraseDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const [typed, setTyped] = useState('');
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const erase = useMutation({
    mutationFn: () => api.POST('/api/users/{id}/erase', { params: { path: { id: user.id } } }),
    onSuccess: async () => {
      notifyDone(`${user.name} was erased.`);
      await navigate('/users', { replace: true });
      queryClient.removeQueries({ queryKey: ['users', 'one', user.id] });
      await queryClient.invalidateQueries({ queryKey: ['users'] });
    },
  });
  const isSure = typed.trim().toLowerCase() === user.email.toLowerCase();
  return (
    <Modal
      opened
      onClose={onClose}
      title={`Erase ${user.name}?`}
      centered
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isSure) erase.mutate();
        }}
      >
        <Stack>
          {erase.error !== null && <ProblemAlert error={erase.error} />}
          <Text size="sm">
            Name, address, attributes, access, identities and sessions are removed for good. The audit trail
            keeps what was done, under a number that names nobody. This cannot be taken back.
          </Text>
          <TextInput
            label={`Type ${user.email} to confirm`}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            autoComplete="off"
            data-autofocus
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" color="red" disabled={!isSure} loading={erase.isPending}>
              Erase for good
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

export function Erase({ user }: { user: User }) {
  const [opened, setOpened] = useState(false);
  const lead =
    user.status === 'disabled'
      ? 'Removes everything that tells who this person is.'
      : 'Removes everything that tells who this person is. Disable them first.';
  return (
    <Section title="Erase" lead={lead}>
      <Group>
        <Button
          color="red"
          variant="outline"
          disabled={user.status !== 'disabled'}
          onClick={() => setOpened(true)}
        >
          Erase this person
        </Button>
      </Group>
      {opened && <EraseDialog user={user} onClose={() => setOpened(false)} />}
    </Section>
  );
}
