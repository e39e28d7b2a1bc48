import { Alert, Button, Group, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { t } from 'i18next';
import { ProblemError } from '../../api/problem.js';
import { CopyField } from '../../components/copy-field.js';
import { OnceDialog } from '../../components/once-dialog.js';
import { ProblemAlert } from '../../components/states.js';
import { DaysInput, MAX_DAYS } from '../service-accounts/days-input.js';
import { type NewToken, scimUrl, useCreateToken } from './use-provisioning.js';

type Create = ReturnType<typeof useCreateToken>;

function CreateForm({ create, onClose }: { create: Create; onClose: () => void }) {
  const form = useForm<NewToken>({ initialValues: { name: '', days: MAX_DAYS } });
  const wrong = (member: string) =>
    create.error instanceof ProblemError ? create.error.of(member) : undefined;
  const hasInlineError = wrong('name') !== undefined || wrong('expires_in_days') !== undefined;
  return (
    <form onSubmit={form.onSubmit((values) => create.mutate(values))}>
      <Stack>
        {create.error !== null && !hasInlineError && <ProblemAlert error={create.error} />}
        <TextInput
          label={t('Name')}
          description={t('The system that provisions, such as “Entra ID”')}
          required
          maxLength={200}
          data-autofocus
          {...form.getInputProps('name')}
          error={wrong('name')}
        />
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

const TokenShown = ({ secret, onDone }: { secret: string; onDone: () => void }) => (
  <Stack>
    <Alert color="orange" variant="light" title={t('Copy the token now')} role="status">
      {t("You won't be able to see it again. Enter both values in your identity provider.")}
    </Alert>
    <CopyField label={t('SCIM base URL')} value={scimUrl} />
    <CopyField label={t('Token')} value={secret} />
    <Group justify="flex-end">
      <Button onClick={onDone}>{t('Done')}</Button>
    </Group>
  </Stack>
);

/** A service account that may provision. Its secret is the token, which is shown once. */
export function CreateToken({ onClose }: { onClose: () => void }) {
  const create = useCreateToken();
  return (
    <OnceDialog title={t('New provisioning token')} once={create.data && 'secret'} onClose={onClose}>
      {(done, cancel) =>
        create.data === undefined ? (
          <CreateForm create={create} onClose={cancel} />
        ) : (
          <TokenShown secret={create.data.client_secret ?? ''} onDone={done} />
        )
      }
    </OnceDialog>
  );
}
