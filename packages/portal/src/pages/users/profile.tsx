import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { PlatformRoleSelect } from '../../access/role-select.js';
import { ProblemError } from '../../api/problem.js';
import { Confirm } from '../../components/confirm.js';
import { notifyDone } from '../../components/notify.js';
import { Section } from '../../components/section.js';
import { ProblemAlert } from '../../components/states.js';
import { useMe } from '../../session/use-session.js';
import { type User, useChangeUser } from './use-user.js';

export function Profile({ user }: { user: User }) {
  const { data: me } = useMe();
  const [asks, setAsks] = useState(false);
  const form = useForm({ initialValues: { name: user.name, role: user.role } });
  const change = useChangeUser(user.id);
  const save = () =>
    change.mutate(form.values, {
      onSuccess: ({ name, role }) => {
        form.setInitialValues({ name, role });
        form.setValues({ name, role });
        notifyDone('Saved.');
      },
      onSettled: () => setAsks(false),
    });
  const stepsDown = me?.id === user.id && user.role === 'admin' && form.values.role === 'member';
  const ofName = change.error instanceof ProblemError ? change.error.of('name') : undefined;
  return (
    <Section title="Name and role">
      <form onSubmit={form.onSubmit(() => (stepsDown ? setAsks(true) : save()))}>
        <Stack maw={420}>
          {change.error !== null && ofName === undefined && <ProblemAlert error={change.error} />}
          <TextInput label="Name" required maxLength={200} {...form.getInputProps('name')} error={ofName} />
          <PlatformRoleSelect label="Role" {...form.getInputProps('role')} />
          <Group>
            <Button type="submit" disabled={!form.isDirty()} loading={change.isPending}>
              Save
            </Button>
          </Group>
        </Stack>
      </form>
      <Confirm
        title="Give up your own admin role?"
        action="Give it up"
        opened={asks}
        pending={change.isPending}
        onConfirm={save}
        onClose={() => setAsks(false)}
      >
        You will see only the workspaces that were granted to you, and only another admin can make you one
        again.
      </Confirm>
    </Section>
  );
}
