import { Button, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { UseMutationResult } from '@tanstack/react-query';
import { ProblemError } from '../../api/problem.js';
import { NewPasswordInput } from '../../components/new-password-input.js';
import { ProblemAlert } from '../../components/states.js';

export interface Acceptance {
  password: string;
  /** Absent: the name that the invitation came with. */
  name?: string;
}

interface Props {
  accept: UseMutationResult<void, Error, Acceptance>;
}

export function AcceptForm({ accept }: Props) {
  const form = useForm({ initialValues: { name: '', password: '' } });
  const problem = accept.error instanceof ProblemError ? accept.error : undefined;
  const [wrongName, rejected] = [problem?.of('name'), problem?.of('password')];
  const isInline = wrongName !== undefined || rejected !== undefined;
  const send = ({ name, password }: typeof form.values): void =>
    accept.mutate({ password, ...(name.trim() !== '' && { name: name.trim() }) });
  return (
    <form onSubmit={form.onSubmit(send)}>
      <Stack>
        {accept.error !== null && !isInline && <ProblemAlert error={accept.error} />}
        <TextInput
          label="Your name"
          description="Leave it empty to keep the one that you were invited with."
          autoComplete="name"
          maxLength={200}
          {...form.getInputProps('name')}
          error={wrongName}
        />
        <NewPasswordInput
          label="Password"
          words={[form.values.name]}
          {...form.getInputProps('password')}
          error={accept.variables?.password === form.values.password ? rejected : undefined}
        />
        <Button type="submit" loading={accept.isPending}>
          Accept and sign in
        </Button>
      </Stack>
    </form>
  );
}
