import { Button, Group, Modal, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, read } from '../../api/client.js';
import { ProblemError } from '../../api/problem.js';
import { notifyDone } from '../../components/notify.js';
import { ProblemAlert } from '../../components/states.js';
import type { User } from './use-user.js';

interface Values {
  by: 'subject' | 'entra';
  subject: string;
  tenant_id: string;
  object_id: string;
}

const ways: { value: Values['by']; label: string }[] = [
  { value: 'entra', label: 'Microsoft Entra' },
  { value: 'subject', label: 'Another provider' },
];

const bodyOf = ({ by, subject, tenant_id, object_id }: Values) =>
  by === 'subject' ? { subject } : { tenant_id: tenant_id.trim(), object_id: object_id.trim() };

function useLink(user: User, onDone: () => void) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (values: Values) =>
      read(
        api.POST('/api/users/{id}/identities', {
          params: { path: { id: user.id } },
          body: bodyOf(values),
        }),
      ),
    onSuccess: () => {
      notifyDone(`${user.name} can sign in through the provider.`);
      onDone();
      return queryClient.invalidateQueries({ queryKey: ['users', 'identities', user.id] });
    },
  });
}

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
const isUuid = (value: string, { by }: Values): string | null =>
  by === 'subject' || uuid.test(value.trim()) ? null : 'A UUID, as the Entra admin centre shows it';

const taken = 'Somebody has this identity already: unlink it there first';
const members = ['subject', 'tenant_id', 'object_id'] as const;

export function LinkIdentity({ user, onClose }: { user: User; onClose: () => void }) {
  const form = useForm<Values>({
    initialValues: { by: 'entra', subject: '', tenant_id: '', object_id: '' },
    validate: { tenant_id: isUuid, object_id: isUuid },
  });
  const link = useLink(user, onClose);
  const last = form.values.by === 'subject' ? 'subject' : 'object_id';
  const wrong = (member: (typeof members)[number]): string | undefined => {
    if (!(link.error instanceof ProblemError)) return undefined;
    if (link.error.code === 'identity_taken' && member === last) return taken;
    return link.error.of(member);
  };
  const isToldBelow = members.some((member) => wrong(member) !== undefined);
  return (
    <Modal
      opened
      onClose={onClose}
      title={`Link an identity to ${user.name}`}
      centered
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <form onSubmit={form.onSubmit((values) => link.mutate(values))}>
        <Stack>
          {link.error !== null && !isToldBelow && <ProblemAlert error={link.error} />}
          <Text size="sm">Whoever signs in there as this identity is {user.name} here.</Text>
          <SegmentedControl aria-label="Provider" data={ways} {...form.getInputProps('by')} />
          {form.values.by === 'subject' ? (
            <TextInput
              label="Subject"
              description="The sub of the provider’s tokens for Vitrine"
              required
              {...form.getInputProps('subject')}
              error={wrong('subject')}
            />
          ) : (
            <>
              <TextInput
                label="Tenant id"
                required
                data-autofocus
                {...form.getInputProps('tenant_id')}
                error={form.errors.tenant_id ?? wrong('tenant_id')}
              />
              <TextInput
                label="Object id"
                description="Of the person, as the Entra admin centre shows it"
                required
                {...form.getInputProps('object_id')}
                error={form.errors.object_id ?? wrong('object_id')}
              />
            </>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={link.isPending}>
              Link
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
