import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useEffect, useRef } from 'react';
import { t } from 'i18next';
import { ProblemError } from '../../api/problem.js';
import { notifyDone } from '../../components/notify.js';
import { ProblemAlert } from '../../components/states.js';
import { useUpdateProfile } from './use-update-profile.js';

interface Props {
  name: string;
  onClose: () => void;
}

export function NameForm({ name, onClose }: Props) {
  const form = useForm({ initialValues: { name } });
  const update = useUpdateProfile();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.select(), []);
  const problem = update.error instanceof ProblemError ? update.error : undefined;
  const nameError = update.variables?.name === form.values.name.trim() ? problem?.of('name') : undefined;
  const save = (values: typeof form.values): void =>
    update.mutate(
      { name: values.name.trim() },
      {
        onSuccess: () => {
          notifyDone(t('Your name was changed.'));
          onClose();
        },
      },
    );
  return (
    <form
      onSubmit={form.onSubmit(save)}
      onKeyDown={({ key }) => {
        if (key === 'Escape' && !update.isPending) onClose();
      }}
    >
      <Stack maw={420}>
        {update.error !== null && problem?.of('name') === undefined && <ProblemAlert error={update.error} />}
        <TextInput
          ref={input}
          label={t('Name')}
          autoComplete="name"
          maxLength={200}
          required
          withAsterisk={false}
          {...form.getInputProps('name')}
          error={nameError}
        />
        <Group>
          <Button type="submit" loading={update.isPending}>
            {t('Save')}
          </Button>
          <Button variant="default" disabled={update.isPending} onClick={onClose}>
            {t('Cancel')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
