import { MultiSelect, Stack, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { t } from 'i18next';
import { ProblemError } from '../../api/problem.js';
import { ProblemAlert } from '../../components/states.js';
import { eventTypes } from './event-types.js';
import type { EventType } from './use-webhooks.js';

export interface WebhookValues {
  url: string;
  types: EventType[];
}

interface Props {
  form: UseFormReturnType<WebhookValues>;
  error: unknown;
}

/** The URL and the types of events of a webhook, with the errors of the service beside them. */
export function WebhookFields({ form, error }: Props) {
  const errorOf = (member: string) => (error instanceof ProblemError ? error.of(member) : undefined);
  const [urlError, typesError] = [errorOf('url'), errorOf('types')];
  return (
    <Stack>
      {error !== null && urlError === undefined && typesError === undefined && <ProblemAlert error={error} />}
      <TextInput
        label={t('URL')}
        description={t('An https address that receives a POST request for each event.')}
        type="url"
        required
        maxLength={2000}
        data-autofocus
        {...form.getInputProps('url')}
        error={urlError}
      />
      <MultiSelect
        label={t('Event types')}
        description={t('Without a selection, all events are delivered, also of types that are added later.')}
        placeholder={form.values.types.length === 0 ? t('All event types') : undefined}
        data={eventTypes}
        searchable
        clearable
        clearButtonProps={{ 'aria-label': t('Clear event types') }}
        nothingFoundMessage={t('No such event type')}
        {...form.getInputProps('types')}
        error={typesError}
      />
    </Stack>
  );
}
