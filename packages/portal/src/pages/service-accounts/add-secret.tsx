import { Button, Group, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { t } from 'i18next';
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
  const daysError = add.error instanceof ProblemError ? add.error.of('expires_in_days') : undefined;
  return (
    <OnceDialog
      title={t('New secret for {{name}}', { name: account.name })}
      once={add.data && 'secret'}
      onClose={onClose}
    >
      {(done, cancel) =>
        add.data !== undefined ? (
          <SecretShown clientId={account.id} secret={add.data.client_secret ?? ''} onDone={done} />
        ) : (
          <form onSubmit={form.onSubmit(({ days }) => add.mutate(Number(days)))}>
            <Stack>
              {add.error !== null && daysError === undefined && <ProblemAlert error={add.error} />}
              <DaysInput data-autofocus {...form.getInputProps('days')} error={daysError} />
              <Group justify="flex-end">
                <Button variant="default" onClick={cancel}>
                  {t('Cancel')}
                </Button>
                <Button type="submit" loading={add.isPending}>
                  {t('Add')}
                </Button>
              </Group>
            </Stack>
          </form>
        )
      }
    </OnceDialog>
  );
}
