import { Button, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { UseMutationResult } from '@tanstack/react-query';
import { t } from 'i18next';
import { ProblemError } from '../../api/problem.js';
import { NewPasswordInput } from '../../components/new-password-input.js';
import { ProblemAlert } from '../../components/states.js';
import { UsernameField } from '../../components/username-field.js';
import type { InvitationPreview } from './use-preview.js';

export interface Acceptance {
  password: string;
  /** If absent, the service derives one from the invitation. */
  name?: string;
}

interface Props {
  invitation: InvitationPreview;
  accept: UseMutationResult<void, Error, Acceptance>;
}

export function AcceptForm({ invitation, accept }: Props) {
  const form = useForm({ initialValues: { name: invitation.name ?? '', password: '' } });
  const problem = accept.error instanceof ProblemError ? accept.error : undefined;
  const [nameError, passwordError] = [problem?.of('name'), problem?.of('password')];
  const isInline = nameError !== undefined || passwordError !== undefined;
  const send = ({ name, password }: typeof form.values): void =>
    accept.mutate({ password, ...(name.trim() !== '' && { name: name.trim() }) });
  return (
    <form onSubmit={form.onSubmit(send)}>
      <Stack>
        {accept.error !== null && !isInline && <ProblemAlert error={accept.error} />}
        <UsernameField email={invitation.email} />
        <TextInput
          label={t('Your name')}
          autoComplete="name"
          maxLength={200}
          {...form.getInputProps('name')}
          error={nameError}
        />
        <NewPasswordInput
          label={t('Password')}
          words={[form.values.name, invitation.email]}
          {...form.getInputProps('password')}
          error={accept.variables?.password === form.values.password ? passwordError : undefined}
        />
        <Button type="submit" loading={accept.isPending}>
          {t('Accept and sign in')}
        </Button>
      </Stack>
    </form>
  );
}
