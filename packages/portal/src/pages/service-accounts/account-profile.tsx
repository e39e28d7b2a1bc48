import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { PlatformRoleSelect } from '../../access/role-select.js';
import { ProblemError } from '../../api/problem.js';
import { CopyField } from '../../components/copy-field.js';
import { notifyDone } from '../../components/notify.js';
import { Section } from '../../components/section.js';
import { ProblemAlert } from '../../components/states.js';
import { type ServiceAccount, useChangeAccount } from './use-service-account.js';

export function AccountProfile({ account }: { account: ServiceAccount }) {
  const form = useForm({ initialValues: { name: account.name, role: account.role } });
  const change = useChangeAccount(account.id);
  const submit = form.onSubmit((values) =>
    change.mutate(values, {
      onSuccess: ({ name, role }) => {
        form.setInitialValues({ name, role });
        form.setValues({ name, role });
        notifyDone('Saved.');
      },
    }),
  );
  const ofName = change.error instanceof ProblemError ? change.error.of('name') : undefined;
  return (
    <Section title="Name and role">
      <form onSubmit={submit}>
        <Stack maw={520}>
          {change.error !== null && ofName === undefined && <ProblemAlert error={change.error} />}
          <CopyField label="Client id" value={account.id} />
          <TextInput label="Name" required maxLength={200} {...form.getInputProps('name')} error={ofName} />
          <PlatformRoleSelect label="Role" {...form.getInputProps('role')} />
          <Group>
            <Button type="submit" disabled={!form.isDirty()} loading={change.isPending}>
              Save
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}
