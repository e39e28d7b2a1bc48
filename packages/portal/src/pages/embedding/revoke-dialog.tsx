import { Alert, Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { IconBan } from '@tabler/icons-react';
import { useState } from 'react';
import { api, read } from '../../api/client.js';
import { ProblemError } from '../../api/problem.js';
import { queryClient } from '../../api/query-client.js';
import type { components } from '../../api/schema.js';
import { ReportPicker } from '../../components/report-picker.js';
import { ProblemAlert } from '../../components/states.js';
import { exactly, fromNow } from '../../components/time.js';
import { UserPicker } from '../../components/user-picker.js';
import { WorkspacePicker } from '../../components/workspace-picker.js';

type Revoked = components['schemas']['NewEmbedRevocationDto'];

export interface Scope {
  user: string | null;
  report: string | null;
  workspace: string | null;
}

/** The tokens that are out there: nobody can recall them. */
function aliveIn({ active_tokens: count, ended_at_latest: end }: Revoked): string {
  if (count === 0 || end === null) return 'No token is out there any more.';
  const tokens = count === 1 ? 'One token that was' : `${count} tokens that were`;
  return `${tokens} issued before cannot be recalled, and can be used until ${exactly(end)} (${fromNow(end)}) at the latest.`;
}

function Form({ scope, onRevoked }: { scope: Scope; onRevoked: (revoked: Revoked) => void }) {
  const form = useForm({
    initialValues: { ...scope, reason: '' },
    validate: {
      user: (_value, { user, report, workspace }) =>
        user === null && report === null && workspace === null
          ? 'Name a person, a report or a workspace'
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
        <Text size="sm">
          No embed token is issued from now on where everything that you name here is met, until it is lifted.
        </Text>
        <UserPicker
          label="Person"
          placeholder="Anybody"
          programs
          data-autofocus
          {...form.getInputProps('user')}
        />
        <ReportPicker label="Report" placeholder="Any report" {...form.getInputProps('report')} />
        <WorkspacePicker label="Workspace" placeholder="Any workspace" {...form.getInputProps('workspace')} />
        <Textarea
          label="Reason"
          description="For the audit trail and whoever has to lift it"
          autosize
          minRows={2}
          maxLength={500}
          {...form.getInputProps('reason')}
        />
        <Group justify="flex-end">
          <Button type="submit" color="red" loading={revoke.isPending}>
            Revoke
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

/** Refuses embed tokens from now on, and tells what is still out there. */
export function RevokeDialog({ scope, onClose }: Props) {
  const [revoked, setRevoked] = useState<Revoked | null>(null);
  return (
    <Modal
      opened
      onClose={onClose}
      title="Revoke embedding"
      centered
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {revoked === null ? (
        <Form scope={scope} onRevoked={setRevoked} />
      ) : (
        <Stack>
          <Alert color="green" variant="light" icon={<IconBan aria-hidden />} title="Embedding is revoked">
            {aliveIn(revoked)}
          </Alert>
          <Group justify="flex-end">
            <Button onClick={onClose} data-autofocus>
              Done
            </Button>
          </Group>
        </Stack>
      )}
    </Modal>
  );
}
