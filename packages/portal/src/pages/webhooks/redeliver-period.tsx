import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { t } from 'i18next';
import { ProblemError } from '../../api/problem.js';
import { Dialog } from '../../components/dialog.js';
import { notifyDone } from '../../components/notify.js';
import { currentTimeZone } from '../../i18n/format.js';
import { fromLocalTime, MAX_LOCAL_TIME, toLocalTime } from '../../i18n/local-time.js';
import { ProblemAlert } from '../../components/states.js';
import { useRedeliverPeriod, type Webhook } from './use-webhooks.js';

const HOUR_MS = 3_600_000;

/** Sends the events of a period again, in their order. */
export function RedeliverPeriod({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const form = useForm({
    initialValues: { from: toLocalTime(Date.now() - HOUR_MS), to: toLocalTime(Date.now() + 60_000) },
  });
  const redeliver = useRedeliverPeriod(webhook.id);
  const { error } = redeliver;
  const errorOf = (member: string) => (error instanceof ProblemError ? error.of(member) : undefined);
  const hasInlineError = ['from', 'to'].some((member) => errorOf(member) !== undefined);
  const submit = form.onSubmit(({ from, to }) =>
    redeliver.mutate(
      { from: fromLocalTime(from), to: fromLocalTime(to) },
      {
        onSuccess: () => {
          notifyDone(t('The events of this period are delivered again.'));
          onClose();
        },
      },
    ),
  );
  return (
    <Dialog centered={false} onClose={onClose} title={t('Redeliver a period')}>
      <form onSubmit={submit}>
        <Stack>
          {error !== null && !hasInlineError && <ProblemAlert error={error} />}
          <Text size="sm">
            {t(
              'Sends the events of the period again, in order, with the same IDs, so that the receiver can ignore duplicates.',
            )}
          </Text>
          <TextInput
            type="datetime-local"
            max={MAX_LOCAL_TIME}
            label={t('From')}
            description={currentTimeZone()}
            required
            data-autofocus
            {...form.getInputProps('from')}
            error={errorOf('from')}
          />
          <TextInput
            type="datetime-local"
            max={MAX_LOCAL_TIME}
            label={t('To')}
            description={currentTimeZone()}
            required
            {...form.getInputProps('to')}
            error={errorOf('to')}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('Cancel')}
            </Button>
            <Button type="submit" loading={redeliver.isPending}>
              {t('Redeliver')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
