import { Alert, Button, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useLocation } from 'react-router';
import { api } from '../../api/client.js';
import { ProblemError } from '../../api/problem.js';
import { ProblemAlert } from '../../components/states.js';
import type { ResetState } from '../../session/own-path.js';

const ask = (email: string) =>
  api.POST('/api/auth/token', { body: { grant_type: 'password_reset_request', email } });

/** The answer is the same whether there is such an account or not. */
export function ResetRequest() {
  const arrival = useLocation().state as ResetState | null;
  const form = useForm({ initialValues: { email: arrival?.email ?? '' } });
  const request = useMutation({ mutationFn: ask });
  const wrongEmail = request.error instanceof ProblemError ? request.error.of('email') : undefined;
  if (request.isSuccess) {
    return (
      <Alert color="green" title="Look into your mail" role="status">
        If {request.variables} has an account with a password, a mail with a link is on its way. The link
        works once, for 30 minutes. If nothing comes within a few minutes, look into the spam folder too.
      </Alert>
    );
  }
  return (
    <form onSubmit={form.onSubmit(({ email }) => request.mutate(email.trim()))}>
      <Stack>
        <Text size="sm">We send you a mail with a link by which you choose a new one.</Text>
        {request.error !== null && wrongEmail === undefined && <ProblemAlert error={request.error} />}
        <TextInput
          label="E-mail"
          type="email"
          autoComplete="username"
          required
          withAsterisk={false}
          {...form.getInputProps('email')}
          error={wrongEmail}
        />
        <Button type="submit" loading={request.isPending}>
          Send the mail
        </Button>
      </Stack>
    </form>
  );
}
