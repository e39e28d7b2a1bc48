import { Button, Group, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { ProblemError } from '../../api/problem.js';
import { OnceDialog } from '../../components/once-dialog.js';
import { ProblemAlert } from '../../components/states.js';
import { DaysInput, MAX_DAYS } from './days-input.js';
import { SecretShown } from './secret-shown.js';
import { type ServiceAccount, useAddSecret } from './use-service-account.js';

interface Props {
  account: ServiceAccount;
  onClose: () => void;
}

export function AddSecret({ account, onClose }: Props) {
  const form = useForm<{ days: number | string }>({ initialValues: { days: MAX_DAYS } });
  const add = useAddSecret(account.id);
  const ofDays = add.error instanceof ProblemError ? add.error.of('expires_in_days') : undefined;
  return (
    <OnceDialog title={`Another secret for ${account.name}`} once={add.data && 'secret'} onClose={onClose}>
      {(done) =>
        add.data !== undefined ? (
          <SecretShown clientId={account.id} secret={add.data.client_secret ?? ''} onDone={done} />
        ) : (
          <form onSubmit={form.onSubmit(({ days }) => add.mutate(Number(days)))}>
            <Stack>
              {add.error !== null && ofDays === undefined && <ProblemAlert error={add.error} />}
              <DaysInput data-autofocus {...form.getInputProps('days')} error={ofDays} />
              <Group justify="flex-end">
                <Button variant="default" onClick={onClose}>
                  Cancel
                </Button>
                <Button type="submit" loading={add.isPending}>
                  Add
                </Button>
              </Group>
            </Stack>
          </form>
        )
      }
    </OnceDialog>
  );
}
