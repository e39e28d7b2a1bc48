import { Anchor, Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { Link } from 'react-router';
import { ProblemError } from '../../api/problem.js';
import { ProblemAlert } from '../../components/states.js';
import type { ResetState } from '../../session/own-path.js';
import { session } from '../../session/session.js';

export function PasswordForm() {
  const form = useForm({ initialValues: { email: '', password: '' } });
  const password = useRef<HTMLInputElement>(null);
  const signIn = useMutation({
    mutationFn: () => session.signIn(form.values),
    onError: () => password.current?.select(),
  });
  const wrongEmail = signIn.error instanceof ProblemError ? signIn.error.of('email') : undefined;
  const forgot: ResetState = { email: form.values.email };
  return (
    <form onSubmit={form.onSubmit(() => signIn.mutate())}>
      <Stack>
        {signIn.error !== null && wrongEmail === undefined && <ProblemAlert error={signIn.error} />}
        <TextInput
          label="E-mail"
          type="email"
          autoComplete="username"
          required
          withAsterisk={false}
          {...form.getInputProps('email')}
          error={wrongEmail}
        />
        <PasswordInput
          ref={password}
          label="Password"
          autoComplete="current-password"
          required
          withAsterisk={false}
          {...form.getInputProps('password')}
        />
        <Button type="submit" loading={signIn.isPending}>
          Sign in
        </Button>
        <Anchor component={Link} to="/password-reset" state={forgot} size="sm">
          Forgot your password?
        </Anchor>
      </Stack>
    </form>
  );
}
