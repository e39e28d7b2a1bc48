import { Alert, Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { IconBan } from '@tabler/icons-react';
import { useState } from 'react';
import { t } from 'i18next';
import { api, read } from '../../api/client.js';
import { ProblemError } from '../../api/problem.js';
import { queryClient } from '../../api/query-client.js';
import type { components } from '../../api/schema.js';
import { Dialog } from '../../components/dialog.js';
import { ReportPicker } from '../../components/report-picker.js';
import { ProblemAlert } from '../../components/states.js';
import { fromNow } from '../../components/from-now.js';
import { exactly } from '../../components/time.js';
import { UserPicker } from '../../components/user-picker.js';
import { WorkspacePicker } from '../../components/workspace-picker.js';

type Revoked = components['schemas']['NewEmbedRevocationDto'];

export interface Scope {
  user: string | null;
  report: string | null;
  workspace: string | null;
}

/** Issued tokens stay valid until they expire: Power BI cannot revoke them. */
function activeTokens({ active_tokens: count, ended_at_latest: end }: Revoked): string {
  if (count === 0 || end === null) return t('No active tokens remain.');
  return t(
    '{{count}} issued tokens can still be used until {{time}} at the latest. They cannot be recalled.',
    {
      count,
      time: `${exactly(end)} (${fromNow(end)})`,
    },
  );
}

interface FormProps {
  scope: Scope;
  onRevoked: (revoked: Revoked) => void;
  onClose: () => void;
}

function Form({ scope, onRevoked, onClose }: FormProps) {
  const form = useForm({
    initialValues: { ...scope, reason: '' },
    validate: {
      user: (_value, { user, report, workspace }) =>
        user === null && report === null && workspace === null
          ? t('Select a user, a report or a workspace')
          : null,
    },
  });
  const revoke = useMutation({
    mutationFn: ({ user, report, workspace, reason }: typeof form.values) =>
      read(
        api.POST('/api/embed-grants/revoke', {
          body: {
            ...(user !== null && { user_id: user }),
            ...(report !== null && { report_id: report }),
            ...(workspace !== null && { workspace_id: workspace }),
            ...(reason.trim() !== '' && { reason: reason.trim() }),
          },
        }),
      ),
    onSuccess: (revoked) => {
      onRevoked(revoked);
      return queryClient.invalidateQueries({ queryKey: ['embed-revocations'] });
    },
    onError: (error) => {
      const detail = error instanceof ProblemError ? error.of('reason') : undefined;
      if (detail !== undefined) form.setFieldError('reason', detail);
    },
  });
  return (
    <form onSubmit={form.onSubmit((values) => revoke.mutate(values))} noValidate>
      <Stack>
        {revoke.error !== null && <ProblemAlert error={revoke.error} />}
        <Text size="sm">{t('Blocks new tokens that match all of these, until the block is removed.')}</Text>
        <UserPicker
          label={t('User')}
          placeholder={t('All users')}
          programs
          data-autofocus
          {...form.getInputProps('user')}
        />
        <ReportPicker label={t('Report')} placeholder={t('All reports')} {...form.getInputProps('report')} />
        <WorkspacePicker
          label={t('Workspace')}
          placeholder={t('All workspaces')}
          {...form.getInputProps('workspace')}
        />
        <Textarea
          label={t('Reason')}
          description={t('Shown to administrators while the block is active.')}
          autosize
          minRows={2}
          maxLength={500}
          {...form.getInputProps('reason')}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('Cancel')}
          </Button>
          <Button type="submit" color="red" loading={revoke.isPending}>
            {t('Block')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface Props {
  scope: Scope;
  onClose: () => void;
}

/** Blocks new embed tokens, and shows how many issued ones are still valid. */
export function RevokeDialog({ scope, onClose }: Props) {
  const [revoked, setRevoked] = useState<Revoked | null>(null);
  return (
    <Dialog onClose={onClose} title={t('Block embedding')}>
      {revoked === null ? (
        <Form scope={scope} onRevoked={setRevoked} onClose={onClose} />
      ) : (
        <Stack>
          <Alert
            color="green"
            variant="light"
            icon={<IconBan aria-hidden />}
            title={t('Embedding is blocked')}
          >
            {activeTokens(revoked)}
          </Alert>
          <Group justify="flex-end">
            <Button onClick={onClose} data-autofocus>
              {t('Done')}
            </Button>
          </Group>
        </Stack>
      )}
    </Dialog>
  );
}
