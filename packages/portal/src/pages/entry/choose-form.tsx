import { Anchor, Button, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate } from 'react-router';
import { t } from 'i18next';
import { api } from '../../api/client.js';
import { ProblemError } from '../../api/problem.js';
import { NewPasswordInput } from '../../components/new-password-input.js';
import { notifyDone } from '../../components/notify.js';
import { QueryView } from '../../components/query-view.js';
import { LoadingRows, ProblemAlert } from '../../components/states.js';
import type { SignInState } from '../../session/own-path.js';
import { session } from '../../session/session.js';
import { useResetPreview } from './use-preview.js';

const choose = (reset_token: string, password: string) =>
  api.POST('/api/auth/token', { body: { grant_type: 'password_reset', reset_token, password } });

const isUnusable = (error: unknown): boolean =>
  error instanceof ProblemError && error.code === 'invalid_password_reset';

const Unusable = ({ error }: { error: unknown }) => (
  <>
    <ProblemAlert error={error} />
    <Anchor component={Link} to="/password-reset" reloadDocument>
      {t('Request a new link')}
    </Anchor>
  </>
);

/** A new password ends all sessions of the user, possibly including the current one. */
function useChoose(secret: string, email: string) {
  const navigate = useNavigate();
  return useMutation({
    mutationFn: (password: string) => choose(secret, password),
    onSuccess: async () => {
      if (session.state === 'signed_in') await session.renew().catch(() => undefined);
      if (session.state === 'signed_in') notifyDone(t('Password changed.'));
      const state: SignInState = { isReset: true, email };
      await navigate('/sign-in', { replace: true, state });
    },
  });
}

function Fields({ secret, email }: { secret: string; email: string }) {
  const form = useForm({ initialValues: { password: '' } });
  const change = useChoose(secret, email);
  const problem = change.error instanceof ProblemError ? change.error : undefined;
  const passwordError = problem?.of('password');
  if (isUnusable(change.error)) return <Unusable error={change.error} />;
  return (
    <form onSubmit={form.onSubmit(({ password }) => change.mutate(password))}>
      <Stack>
        <Text size="sm">{t('Changing your password signs you out on all devices.')}</Text>
        {change.error !== null && passwordError === undefined && <ProblemAlert error={change.error} />}
        <TextInput label={t('Email')} type="email" autoComplete="username" value={email} readOnly />
        <NewPasswordInput
          label={t('New password')}
          words={[email]}
          {...form.getInputProps('password')}
          error={change.variables === form.values.password ? passwordError : undefined}
        />
        <Button type="submit" loading={change.isPending}>
          {t('Change password')}
        </Button>
      </Stack>
    </form>
  );
}

export function ChooseForm({ secret }: { secret: string }) {
  const preview = useResetPreview(secret);
  if (isUnusable(preview.error)) return <Unusable error={preview.error} />;
  return (
    <QueryView query={preview} loading={<LoadingRows rows={3} />}>
      {({ email }) => <Fields secret={secret} email={email} />}
    </QueryView>
  );
}
