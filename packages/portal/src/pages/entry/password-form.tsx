import { Anchor, Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { t } from 'i18next';
import { ProblemError } from '../../api/problem.js';
import { ProblemAlert } from '../../components/states.js';
import type { ResetState, SignInState } from '../../session/own-path.js';
import { session } from '../../session/session.js';

/** Without `@mantine/form`: the first page of everyone would load it. */
export function PasswordForm() {
  const arrival = useLocation().state as SignInState | null;
  const [email, setEmail] = useState(arrival?.email ?? '');
  const [typed, setTyped] = useState('');
  const password = useRef<HTMLInputElement>(null);
  const signIn = useMutation({
    mutationFn: () => session.signIn({ email, password: typed }),
    onError: () => password.current?.select(),
  });
  const emailError = signIn.error instanceof ProblemError ? signIn.error.of('email') : undefined;
  const forgot: ResetState = { email };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    signIn.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        {signIn.error !== null && emailError === undefined && <ProblemAlert error={signIn.error} />}
        <TextInput
          label={t('Email')}
          type="email"
          autoComplete="username"
          required
          withAsterisk={false}
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
          error={emailError}
        />
        <PasswordInput
          visibilityToggleButtonProps={{ 'aria-label': t('Show password') }}
          ref={password}
          label={t('Password')}
          autoComplete="current-password"
          required
          withAsterisk={false}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Button type="submit" loading={signIn.isPending}>
          {t('Sign in')}
        </Button>
        <Anchor component={Link} to="/password-reset" state={forgot} size="sm">
          {t('Forgot password?')}
        </Anchor>
      </Stack>
    </form>
  );
}
