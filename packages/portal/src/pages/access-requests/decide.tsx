import { Button, Group } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { type AccessRequest, type Decision, useDecide } from '../../access/use-access-requests.js';
import { notifyDone, notifyProblem } from '../../components/notify.js';

/** Approves or declines with one click. */
export function Decide({ request }: { request: AccessRequest }) {
  const { t } = useTranslation();
  const name = request.requester_name ?? '';
  const deciding = useDecide(({ status }) =>
    notifyDone(
      status === 'approved'
        ? t('{{name}} now has access.', { name })
        : t('The request of {{name}} was declined.', { name }),
    ),
  );
  const decide = (decision: Decision) =>
    deciding.mutate({ id: request.id, decision }, { onError: notifyProblem });
  const isSending = (decision: Decision) => deciding.isPending && deciding.variables.decision === decision;
  return (
    <Group gap={4} justify="flex-end" wrap="nowrap" className="row-buttons">
      <Button
        size="compact-sm"
        loading={isSending('approve')}
        disabled={deciding.isPending}
        aria-label={t('Approve the request of {{name}}', { name })}
        onClick={() => decide('approve')}
      >
        {t('Approve')}
      </Button>
      <Button
        size="compact-sm"
        variant="default"
        loading={isSending('decline')}
        disabled={deciding.isPending}
        aria-label={t('Decline the request of {{name}}', { name })}
        onClick={() => decide('decline')}
      >
        {t('Decline')}
      </Button>
    </Group>
  );
}
