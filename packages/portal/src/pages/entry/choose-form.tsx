import { Anchor, Button, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate } from 'react-router';
import { api } from '../../api/client.js';
import { ProblemError } from '../../api/problem.js';
import { NewPasswordInput } from '../../components/new-password-input.js';
import { notifyDone } from '../../components/notify.js';
import { ProblemAlert } from '../../components/states.js';
import type { SignInState } from '../../session/own-path.js';
import { session } from '../../session/session.js';

const choose = (reset_token: string, password: string) =>
  api.POST('/api/auth/token', { body: { grant_type: 'password_reset', reset_token, password } });

/** The new password ends every session of its person, who may be the one that is signed in here. */
function useChoose(secret: string) {
  const navigate = useNavigate();
  return useMutation({
    mutationFn: (password: string) => choose(secret, password),
    onSuccess: async () => {
      if (session.state === 'signed_in') await session.renew().catch(() => undefined);
      if (session.state === 'signed_in') notifyDone('The password was changed.');
      const state: SignInState = { isReset: true };
      await navigate('/sign-in', { replace: true, state });
    },
  });
}

export function ChooseForm({ secret }: { secret: string }) {
  const form = useForm({ initialValues: { password: '' } });
  const change = useChoose(secret);
  const problem = change.error instanceof ProblemError ? change.error : undefined;
  const rejected = problem?.of('password');
  if (problem?.code === 'invalid_password_reset') {
    return (
      <>
        <ProblemAlert error={problem} />
        <Anchor component={Link} to="/password-reset" reloadDocument>
          Ask for a new link
        </Anchor>
      </>
    );
  }
  return (
    <form onSubmit={form.onSubmit(({ password }) => change.mutate(password))}>
      <Stack>
        <Text size="sm">Wherever you are signed in now, you will have to sign in again.</Text>
        {change.error !== null && rejected === undefined && <ProblemAlert error={change.error} />}
        <NewPasswordInput
          label="New password"
          {...form.getInputProps('password')}
          error={change.variables === form.values.password ? rejected : undefined}
        />
        <Button type="submit" loading={change.isPending}>
          Change password
        </Button>
      </Stack>
    </form>
  );
}
