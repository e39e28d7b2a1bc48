import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { t } from 'i18next';
import { PlatformRoleSelect } from '../../access/role-select.js';
import { ProblemError } from '../../api/problem.js';
import { changesIn, showSaved } from '../../components/changes-in.js';
import { Confirm } from '../../components/confirm.js';
import { notifyDone } from '../../components/notify.js';
import { Section } from '../../components/section.js';
import { ProblemAlert } from '../../components/states.js';
import { useMe } from '../../session/use-session.js';
import { isProvisioned, type User, useChangeUser } from './use-user.js';

export function Profile({ user }: { user: User }) {
  const { data: me } = useMe();
  const [isConfirming, setIsConfirming] = useState(false);
  const form = useForm({ initialValues: { name: user.name, role: user.role } });
  const change = useChangeUser(user.id);
  const { values } = form;
  const save = () =>
    change.mutate(changesIn(form), {
      onSuccess: ({ name, role }) => {
        showSaved(form, values, { name, role });
        notifyDone(t('Changes saved.'));
      },
      onSettled: () => setIsConfirming(false),
    });
  const removesOwnRole = me?.id === user.id && user.role === 'admin' && values.role === 'member';
  const nameError = change.error instanceof ProblemError ? change.error.of('name') : undefined;
  return (
    <Section title={t('Name and role')}>
      <form onSubmit={form.onSubmit(() => (removesOwnRole ? setIsConfirming(true) : save()))}>
        <Stack maw={420}>
          {change.error !== null && nameError === undefined && <ProblemAlert error={change.error} />}
          <TextInput
            label={t('Name')}
            required
            maxLength={200}
            disabled={isProvisioned(user)}
            description={isProvisioned(user) && t('Managed by your identity provider')}
            {...form.getInputProps('name')}
            error={nameError}
          />
          <PlatformRoleSelect label={t('Role')} {...form.getInputProps('role')} />
          <Group>
            <Button type="submit" disabled={!form.isDirty()} loading={change.isPending}>
              {t('Save')}
            </Button>
          </Group>
        </Stack>
      </form>
      <Confirm
        title={t('Remove your administrator role?')}
        action={t('Remove role')}
        opened={isConfirming}
        pending={change.isPending}
        onConfirm={save}
        onClose={() => setIsConfirming(false)}
      >
        {t(
          'You will have access only to what is granted to you. Only another administrator can restore the role.',
        )}
      </Confirm>
    </Section>
  );
}
