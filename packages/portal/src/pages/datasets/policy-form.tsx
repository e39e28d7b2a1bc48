import { Button, Group, Stack, TagsInput, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { api, read } from '../../api/client.js';
import { ProblemError } from '../../api/problem.js';
import { notifyDone } from '../../components/notify.js';
import { ProblemAlert } from '../../components/states.js';
import type { Dataset } from './dataset-words.js';
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
  /** Whether it is asked if the policy is removed. */
  asks: boolean;
  onAsk: (asks: boolean) => void;
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
          body: { username, roles, custom_data: custom_data === '' ? null : custom_data },
        }),
      ),
    onSuccess: (dataset) => {
      notifyDone('The policy is saved.');
      onDirty(false);
      return keepDataset(dataset);
    },
    onError: (error) => form.setErrors(problemsOf(error)),
  });
  return { form, save };
}

/** Who a viewer is inside the data of one dataset. */
export function PolicyForm({ dataset, onDirty, asks, onAsk }: Props) {
  const { form, save } = usePolicyForm(dataset, onDirty);
  const isTold = Object.keys(problemsOf(save.error)).length > 0;
  return (
    <form onSubmit={form.onSubmit((values) => save.mutate(values))} noValidate>
      <Stack>
        {save.error !== null && !isTold && <ProblemAlert error={save.error} />}
        <Text size="sm">
          Each field may hold placeholders, which are filled for whoever looks. Attributes are set on the page
          of a person.
        </Text>
        <TextInput
          label="Username"
          description="Who the person is for the rules of the dataset"
          placeholder="{{email}}"
          withAsterisk
          maxLength={256}
          {...form.getInputProps('username')}
        />
        <Group gap="xs" aria-label="Placeholders" role="group">
          {placeholders.map((placeholder) => (
            <Button
              key={placeholder}
              size="compact-sm"
              variant="default"
              aria-label={`Add ${placeholder} to the username`}
              onClick={() => form.setFieldValue('username', `${form.values.username}${placeholder}`)}
            >
              {placeholder}
            </Button>
          ))}
        </Group>
        <TagsInput
          label="Roles"
          description="Roles of the dataset, each fixed or a placeholder. Enter adds one."
          placeholder={form.values.roles.length === 0 ? 'Europe' : undefined}
          splitChars={[]}
          maxTags={50}
          {...form.getInputProps('roles')}
        />
        <TextInput
          label="Custom data"
          description="Handed to the dataset as it is; most have no use for it"
          maxLength={1024}
          {...form.getInputProps('custom_data')}
        />
        <Group justify="space-between">
          <Button type="submit" loading={save.isPending}>
            Save
          </Button>
          {dataset.identity_policy !== null && <RemovePolicy dataset={dataset} asks={asks} onAsk={onAsk} />}
        </Group>
      </Stack>
    </form>
  );
}
