import { Button, PasswordInput, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { t } from 'i18next';
import { api } from '../../api/client.js';
import { ProblemError } from '../../api/problem.js';
import { NewPasswordInput } from '../../components/new-password-input.js';
import { notifyDone } from '../../components/notify.js';
import { ProblemAlert } from '../../components/states.js';
import { UsernameField } from '../../components/username-field.js';
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
      notifyDone(t('Password changed. Your other sessions were signed out.'));
      onDone();
      return queryClient.invalidateQueries({ queryKey: ['sessions'] });
    },
  });
}

export function PasswordChange({ me }: { me: Me }) {
  const form = useForm<Change>({ initialValues: { current_password: '', new_password: '' } });
  const changing = useChange(form.reset);
  const problem = changing.error instanceof ProblemError ? changing.error : undefined;
  const [currentError, newError] = [problem?.of('current_password'), problem?.of('new_password')];
  const isInline = currentError !== undefined || newError !== undefined;
  return (
    <Section title={t('Password')} lead={t('Changing your password signs you out on all other devices.')}>
      <form onSubmit={form.onSubmit((values) => changing.mutate(values))}>
        <Stack maw={420}>
          <UsernameField email={me.email} />
          {changing.error !== null && !isInline && <ProblemAlert error={changing.error} />}
          <PasswordInput
            visibilityToggleButtonProps={{ 'aria-label': t('Show password') }}
            label={t('Current password')}
            autoComplete="current-password"
            required
            withAsterisk={false}
            {...form.getInputProps('current_password')}
            error={currentError}
          />
          <NewPasswordInput
            label={t('New password')}
            words={[me.name, me.email]}
            {...form.getInputProps('new_password')}
            error={changing.variables?.new_password === form.values.new_password ? newError : undefined}
          />
          <Button type="submit" loading={changing.isPending} style={{ alignSelf: 'flex-start' }}>
            {t('Change password')}
          </Button>
        </Stack>
      </form>
    </Section>
  );
}
