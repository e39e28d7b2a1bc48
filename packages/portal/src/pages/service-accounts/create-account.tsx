import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { t } from 'i18next';
import { PlatformRoleSelect } from '../../access/role-select.js';
import type { PlatformRole } from '../../access/roles.js';
import { api, read } from '../../api/client.js';
import { ProblemError } from '../../api/problem.js';
import { OnceDialog } from '../../components/once-dialog.js';
import { ProblemAlert } from '../../components/states.js';
import { DaysInput, MAX_DAYS } from './days-input.js';
import { SecretShown } from './secret-shown.js';
import { useAccountsChanged } from './use-service-account.js';

interface Values {
  name: string;
  role: PlatformRole;
  days: number | string;
}

function useCreate() {
  const changed = useAccountsChanged();
  return useMutation({
    mutationFn: ({ name, role, days }: Values) =>
      read(
        api.POST('/api/service-accounts', {
          params: {},
          body: { name, role, expires_in_days: Number(days) },
        }),
      ),
    onSuccess: () => changed(),
  });
}

type Create = ReturnType<typeof useCreate>;

function CreateForm({ create, onClose }: { create: Create; onClose: () => void }) {
  const form = useForm<Values>({ initialValues: { name: '', role: 'member', days: MAX_DAYS } });
  const wrong = (member: string) =>
    create.error instanceof ProblemError ? create.error.of(member) : undefined;
  const hasInlineError = wrong('name') !== undefined || wrong('expires_in_days') !== undefined;
  return (
    <form onSubmit={form.onSubmit((values) => create.mutate(values))}>
      <Stack>
        {create.error !== null && !hasInlineError && <ProblemAlert error={create.error} />}
        <TextInput
          label={t('Name')}
          description={t('What it is used for, such as “Nightly export”')}
          required
          maxLength={200}
          data-autofocus
          {...form.getInputProps('name')}
          error={wrong('name')}
        />
        <PlatformRoleSelect label={t('Role')} {...form.getInputProps('role')} />
        <DaysInput {...form.getInputProps('days')} error={wrong('expires_in_days')} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('Cancel')}
          </Button>
          <Button type="submit" loading={create.isPending}>
            {t('Create')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Shows the first secret after the account is created, then opens the account. */
export function CreateAccount({ onClose }: { onClose: () => void }) {
  const create = useCreate();
  const navigate = useNavigate();
  const account = create.data;
  const showAccount = () => {
    if (account !== undefined) void navigate(`/service-accounts/${account.id}`);
  };
  return (
    <OnceDialog
      title={t('New service account')}
      once={account && 'secret'}
      onClose={account === undefined ? onClose : showAccount}
    >
      {(done, cancel) =>
        account === undefined ? (
          <CreateForm create={create} onClose={cancel} />
        ) : (
          <SecretShown clientId={account.id} secret={account.client_secret ?? ''} onDone={done} />
        )
      }
    </OnceDialog>
  );
}
