import { Button, PasswordInput, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.js';
import { ProblemError } from '../../api/problem.js';
import { NewPasswordInput } from '../../components/new-password-input.js';
import { notifyDone } from '../../components/notify.js';
import { ProblemAlert } from '../../components/states.js';
import type { Me } from '../../session/use-session.js';
import { Section } from './section.js';

interface Change {
  current_password: string;
  new_password: string;
}

const change = (body: Change) => api.PUT('/api/users/me/password', { body });

function useChange(onDone: () => void) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: () => {
      notifyDone('Your password was changed. Your other sessions have ended.');
      onDone();
      return queryClient.invalidateQueries({ queryKey: ['sessions'] });
    },
  });
}

export function PasswordChange({ me }: { me: Me }) {
  const form = useForm<Change>({ initialValues: { current_password: '', new_password: '' } });
  const changing = useChange(form.reset);
  const problem = changing.error instanceof ProblemError ? changing.error : undefined;
  const [wrong, rejected] = [problem?.of('current_password'), problem?.of('new_password')];
  const isInline = wrong !== undefined || rejected !== undefined;
  return (
    <Section
      title="Password"
      lead="A new one ends your sessions everywhere else. If you always sign in with your organisation, you have none here."
    >
      <form onSubmit={form.onSubmit((values) => changing.mutate(values))}>
        <Stack maw={420}>
          {/* For password managers: whose password it is. */}
          <input type="email" autoComplete="username" value={me.email} readOnly hidden />
          {changing.error !== null && !isInline && <ProblemAlert error={changing.error} />}
          <PasswordInput
            label="Current password"
            autoComplete="current-password"
            required
            withAsterisk={false}
            {...form.getInputProps('current_password')}
            error={wrong}
          />
          <NewPasswordInput
            label="New password"
            words={[me.name, me.email]}
            {...form.getInputProps('new_password')}
            error={changing.variables?.new_password === form.values.new_password ? rejected : undefined}
          />
          <Button type="submit" loading={changing.isPending} style={{ alignSelf: 'flex-start' }}>
            Change password
          </Button>
        </Stack>
      </form>
    </Section>
  );
}
