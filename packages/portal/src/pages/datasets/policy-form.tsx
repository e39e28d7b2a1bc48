import { Button, Group, Stack, TagsInput, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { t } from 'i18next';
import { api, read } from '../../api/client.js';
import { ProblemError } from '../../api/problem.js';
import { notifyDone } from '../../components/notify.js';
import { ProblemAlert } from '../../components/states.js';
import type { Dataset } from './dataset-texts.js';
import { keepDataset } from './keep-dataset.js';
import { RemovePolicy } from './remove-policy.js';

const placeholders = ['{{email}}', '{{id}}', '{{attributes.name}}'];
const fields = ['username', 'roles', 'custom_data'] as const;

const problemsOf = (error: unknown): Partial<Record<(typeof fields)[number], string>> =>
  error instanceof ProblemError
    ? Object.fromEntries(
        fields.flatMap((field) => {
          const detail = error.of(field);
          return detail === undefined ? [] : [[field, detail]];
        }),
      )
    : {};

interface Props {
  dataset: Dataset;
  onDirty: (dirty: boolean) => void;
  onClose: () => void;
}

function usePolicyForm({ id, identity_policy: policy }: Dataset, onDirty: Props['onDirty']) {
  const form = useForm({
    initialValues: {
      username: policy?.username ?? '',
      roles: policy?.roles ?? [],
      custom_data: policy?.custom_data ?? '',
    },
    onValuesChange: () => onDirty(true),
  });
  const save = useMutation({
    mutationFn: ({ username, roles, custom_data }: typeof form.values) =>
      read(
        api.PUT('/api/datasets/{id}/identity-policy', {
          params: { path: { id } },
          body: {
            username,
            roles,
            custom_data: custom_data === '' ? null : custom_data,
            // Set through the API; the form keeps it.
            ...(policy?.service_accounts !== undefined && { service_accounts: policy.service_accounts }),
          },
        }),
      ),
    onSuccess: (dataset) => {
      notifyDone(t('Policy saved.'));
      onDirty(false);
      return keepDataset(dataset);
    },
    onError: (error) => form.setErrors(problemsOf(error)),
  });
  return { form, save };
}

/** The identity of viewers in one dataset. */
export function PolicyForm({ dataset, onDirty, onClose }: Props) {
  const { form, save } = usePolicyForm(dataset, onDirty);
  const isFieldError = Object.keys(problemsOf(save.error)).length > 0;
  return (
    <form onSubmit={form.onSubmit((values) => save.mutate(values))} noValidate>
      <Stack>
        {save.error !== null && !isFieldError && <ProblemAlert error={save.error} />}
        <Text size="sm">
          {t(
            'Fields can contain placeholders for values of the viewer. Set attributes on the page of a user.',
          )}
        </Text>
        <TextInput
          label={t('Username')}
          description={t('The username for the rules of the dataset')}
          placeholder={placeholders[0]}
          withAsterisk
          maxLength={256}
          {...form.getInputProps('username')}
        />
        <Group gap="xs" aria-label={t('Placeholders')} role="group">
          {placeholders.map((placeholder) => (
            <Button
              key={placeholder}
              size="compact-sm"
              variant="default"
              aria-label={t('Insert {{placeholder}} into the username', { placeholder })}
              onClick={() => form.setFieldValue('username', `${form.values.username}${placeholder}`)}
            >
              {placeholder}
            </Button>
          ))}
        </Group>
        <TagsInput
          label={t('Roles')}
          description={t('Names of dataset roles, or placeholders. Press Enter to add a role.')}
          placeholder={form.values.roles.length === 0 ? t('Europe') : undefined}
          splitChars={[]}
          maxTags={50}
          {...form.getInputProps('roles')}
        />
        <TextInput
          label={t('Custom data')}
          description={t("Passed to the dataset unchanged. Most datasets don't use it.")}
          maxLength={1024}
          {...form.getInputProps('custom_data')}
        />
        <Group justify="space-between">
          <Group gap="sm">
            <Button type="submit" loading={save.isPending}>
              {t('Save')}
            </Button>
            <Button variant="default" onClick={onClose}>
              {t('Cancel')}
            </Button>
          </Group>
          {dataset.identity_policy !== null && (
            <RemovePolicy dataset={dataset} onRemoved={() => onDirty(false)} />
          )}
        </Group>
      </Stack>
    </form>
  );
}
