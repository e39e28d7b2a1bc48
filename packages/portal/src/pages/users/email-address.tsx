import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { t } from 'i18next';
import { cleanAddress } from '../../access/clean-address.js';
import { ProblemError } from '../../api/problem.js';
import { showSaved } from '../../components/changes-in.js';
import { Confirm } from '../../components/confirm.js';
import { notifyDone } from '../../components/notify.js';
import { Section } from '../../components/section.js';
import { ProblemAlert } from '../../components/states.js';
import { isProvisioned, type Person, useChangeUser } from './use-user.js';

export function EmailAddress({ user }: { user: Person }) {
  const [isConfirming, setIsConfirming] = useState(false);
  const form = useForm({ initialValues: { email: user.email } });
  const change = useChangeUser(user.id);
  const { values } = form;
  const given = cleanAddress(values.email);
  const save = () =>
    change.mutate(
      { email: given },
      {
        onSuccess: ({ email: changed }) => {
          const email = changed ?? given;
          showSaved(form, values, { email });
          notifyDone(t('The email address is now {{email}}.', { email }));
        },
        onSettled: () => setIsConfirming(false),
      },
    );
  const wrong = change.error instanceof ProblemError ? change.error.of('email') : undefined;
  return (
    <Section
      title={t('Email address')}
      lead={t('The user signs in with this address and receives emails at it.')}
    >
      <form onSubmit={form.onSubmit(() => setIsConfirming(true))}>
        <Stack maw={420}>
          {change.error !== null && wrong === undefined && <ProblemAlert error={change.error} />}
          <TextInput
            label={t('Email')}
            type="email"
            required
            autoComplete="off"
            disabled={isProvisioned(user)}
            description={isProvisioned(user) && t('Managed by your identity provider')}
            {...form.getInputProps('email')}
            error={wrong}
          />
          <Group>
            <Button type="submit" variant="default" disabled={given === '' || given === user.email}>
              {t('Change address')}
            </Button>
          </Group>
        </Stack>
      </form>
      <Confirm
        title={t('Change the address to {{email}}?', { email: given })}
        action={t('Change address')}
        color="blue"
        opened={isConfirming}
        pending={change.isPending}
        onConfirm={save}
        onClose={() => setIsConfirming(false)}
      >
        {t(
          '{{name}} signs in with the new address from now on. Open links, such as password resets and invitations sent to {{email}}, become void. Both addresses receive an email about the change.',
          { name: user.name, email: user.email },
        )}
      </Confirm>
    </Section>
  );
}
