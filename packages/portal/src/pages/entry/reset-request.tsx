import { Alert, Button, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useLocation } from 'react-router';
import { t } from 'i18next';
import { api } from '../../api/client.js';
import { ProblemError } from '../../api/problem.js';
import { ProblemAlert } from '../../components/states.js';
import type { ResetState } from '../../session/own-path.js';

const requestReset = (email: string) =>
  api.POST('/api/auth/token', { body: { grant_type: 'password_reset_request', email } });

/** The response does not reveal whether the account exists. */
export function ResetRequest() {
  const state = useLocation().state as ResetState | null;
  const form = useForm({ initialValues: { email: state?.email ?? '' } });
  const request = useMutation({ mutationFn: requestReset });
  const emailError = request.error instanceof ProblemError ? request.error.of('email') : undefined;
  if (request.isSuccess) {
    return (
      <Alert
        color="green"
        title={t('Check your inbox')}
        role="status"
        // The form, which had the focus, is replaced.
        tabIndex={-1}
        ref={(alert) => alert?.focus()}
      >
        {t(
          "If {{email}} has an account with a password that is not disabled, we sent an email with a link. The link can be used once and is valid for 30 minutes. If it doesn't arrive within a few minutes, check your spam folder.",
          { email: request.variables },
        )}
      </Alert>
    );
  }
  return (
    <form onSubmit={form.onSubmit(({ email }) => request.mutate(email.trim()))}>
      <Stack>
        <Text size="sm">{t("We'll email you a link to choose a new password.")}</Text>
        {request.error !== null && emailError === undefined && <ProblemAlert error={request.error} />}
        <TextInput
          label={t('Email')}
          type="email"
          autoComplete="username"
          required
          withAsterisk={false}
          {...form.getInputProps('email')}
          error={emailError}
        />
        <Button type="submit" loading={request.isPending}>
          {t('Send reset link')}
        </Button>
      </Stack>
    </form>
  );
}
