import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { t } from 'i18next';
import { ProblemError } from '../../api/problem.js';
import { ProblemAlert } from '../../components/states.js';
import { isAdmin, useMe } from '../../session/use-session.js';
import { AccessFields } from './access-fields.js';
import { type AccessValues, bodyOf, grantRow, accessErrors } from './access-values.js';
import { type Invited, type NewInvitation, useInvite } from './use-invitations.js';

interface Values extends AccessValues {
  email: string;
  name: string;
}

interface Props {
  workspaceId?: string;
  onInvited: (invited: Invited, request: NewInvitation) => void;
  onClose: () => void;
}

/** Whether the form shows the error at a field. */
const hasInlineError = (error: unknown): boolean =>
  error instanceof ProblemError &&
  (error.problem?.errors ?? []).some(({ pointer }) => /^\/(email|name|(workspaces|reports)\/)/.test(pointer));

export function InviteForm({ workspaceId, onInvited, onClose }: Props) {
  const { data: me } = useMe();
  const asAdmin = isAdmin(me);
  const form = useForm<Values>({
    initialValues: {
      email: '',
      name: '',
      role: 'member',
      grants: workspaceId === undefined && asAdmin ? [] : [grantRow('workspace', workspaceId)],
      groups: [],
    },
    validate: (values) => accessErrors(values, asAdmin),
  });
  const inviting = useInvite();
  const submit = form.onSubmit(({ email, name, ...access }) => {
    const request = { email, name: name.trim() === '' ? undefined : name, ...bodyOf(access) };
    inviting.mutate(request, { onSuccess: (invited) => onInvited(invited, request) });
  });
  const wrong = (member: string) =>
    inviting.error instanceof ProblemError ? inviting.error.of(member) : undefined;
  return (
    <form onSubmit={submit}>
      <Stack>
        {inviting.error !== null && !hasInlineError(inviting.error) && (
          <ProblemAlert error={inviting.error} />
        )}
        <TextInput
          label={t('Email')}
          type="email"
          required
          data-autofocus
          {...form.getInputProps('email')}
          error={wrong('email')}
        />
        <TextInput
          label={t('Name (optional)')}
          description={t('The user can change it when accepting the invitation')}
          maxLength={200}
          {...form.getInputProps('name')}
          error={wrong('name')}
        />
        <AccessFields form={form} error={inviting.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('Cancel')}
          </Button>
          <Button type="submit" loading={inviting.isPending}>
            {t('Invite')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
