import { Button, Group, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { t } from 'i18next';
import { api, read } from '../../api/client.js';
import { ProblemError } from '../../api/problem.js';
import { optionsOf } from '../../i18n/options.js';
import { msg } from '../../i18n/index.js';
import { Dialog } from '../../components/dialog.js';
import { notifyDone } from '../../components/notify.js';
import { ProblemAlert } from '../../components/states.js';
import type { User } from './use-user.js';

interface Values {
  by: 'subject' | 'entra';
  subject: string;
  tenant_id: string;
  object_id: string;
}

const providers: Record<Values['by'], string> = {
  entra: msg('Microsoft Entra ID'),
  subject: msg('Other'),
};

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
      notifyDone(t('{{name}} can now sign in with this identity.', { name: user.name }));
      onDone();
      return queryClient.invalidateQueries({ queryKey: ['users', 'identities', user.id] });
    },
  });
}

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
const isUuid = (value: string, { by }: Values): string | null =>
  by === 'subject' || uuid.test(value.trim())
    ? null
    : t('Enter a UUID as shown in the Microsoft Entra admin center');

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
    if (link.error.code === 'identity_taken' && member === last)
      return t('This identity is linked to another user. Unlink it there first.');
    return link.error.of(member);
  };
  const hasInlineError = members.some((member) => wrong(member) !== undefined);
  return (
    <Dialog onClose={onClose} title={t('Link identity to {{name}}', { name: user.name })}>
      <form onSubmit={form.onSubmit((values) => link.mutate(values))}>
        <Stack>
          {link.error !== null && !hasInlineError && <ProblemAlert error={link.error} />}
          <Text size="sm">
            {t('Anyone who signs in with this identity is signed in as {{name}}.', { name: user.name })}
          </Text>
          <SegmentedControl
            aria-label={t('Provider')}
            data={optionsOf(providers)}
            {...form.getInputProps('by')}
          />
          {form.values.by === 'subject' ? (
            <TextInput
              label={t('Subject')}
              description={t('The “sub” claim of the tokens issued by the provider')}
              required
              {...form.getInputProps('subject')}
              error={wrong('subject')}
            />
          ) : (
            <>
              <TextInput
                label={t('Tenant ID')}
                required
                data-autofocus
                {...form.getInputProps('tenant_id')}
                error={form.errors.tenant_id ?? wrong('tenant_id')}
              />
              <TextInput
                label={t('Object ID')}
                description={t("The user's object ID in the Microsoft Entra admin center")}
                required
                {...form.getInputProps('object_id')}
                error={form.errors.object_id ?? wrong('object_id')}
              />
            </>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('Cancel')}
            </Button>
            <Button type="submit" loading={link.isPending}>
              {t('Link')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
