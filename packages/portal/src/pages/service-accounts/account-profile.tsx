import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { t } from 'i18next';
import { PlatformRoleSelect } from '../../access/role-select.js';
import { ProblemError } from '../../api/problem.js';
import { changesIn, showSaved } from '../../components/changes-in.js';
import { CopyField } from '../../components/copy-field.js';
import { notifyDone } from '../../components/notify.js';
import { Section } from '../../components/section.js';
import { ProblemAlert } from '../../components/states.js';
import { type ServiceAccount, useChangeAccount } from './use-service-account.js';

export function AccountProfile({ account }: { account: ServiceAccount }) {
  const form = useForm({ initialValues: { name: account.name, role: account.role } });
  const change = useChangeAccount(account.id);
  const submit = form.onSubmit((submitted) =>
    change.mutate(changesIn(form), {
      onSuccess: ({ name, role }) => {
        showSaved(form, submitted, { name, role });
        notifyDone(t('Changes saved.'));
      },
    }),
  );
  const nameError = change.error instanceof ProblemError ? change.error.of('name') : undefined;
  return (
    <Section title={t('Name and role')}>
      <form onSubmit={submit}>
        <Stack maw={520}>
          {change.error !== null && nameError === undefined && <ProblemAlert error={change.error} />}
          <CopyField label={t('Client ID')} value={account.id} />
          <TextInput
            label={t('Name')}
            required
            maxLength={200}
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
    </Section>
  );
}
