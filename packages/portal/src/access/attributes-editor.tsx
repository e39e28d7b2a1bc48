import { ActionIcon, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { IconX } from '@tabler/icons-react';
import { ProblemError } from '../api/problem.js';
import { notifyDone } from '../components/notify.js';
import { Section } from '../components/section.js';
import { ProblemAlert } from '../components/states.js';
import {
  type AttributeRow,
  attributesOf,
  MAX_ATTRIBUTES,
  rowOf,
  rowsOf,
  wrongRows,
} from './attribute-rows.js';

type Attributes = Record<string, string>;

interface Props {
  attributes: Attributes;
  /** All of them: what is left out is taken away. */
  save: (attributes: Attributes) => Promise<unknown>;
}

interface Values {
  rows: AttributeRow[];
}

export function AttributesEditor({ attributes, save }: Props) {
  const form = useForm<Values>({
    initialValues: { rows: rowsOf(attributes) },
    validate: ({ rows }) => wrongRows(rows),
  });
  const saving = useMutation({
    mutationFn: save,
    onSuccess: (_, saved) => {
      const rows = rowsOf(saved);
      form.setInitialValues({ rows });
      form.setValues({ rows });
      notifyDone('The attributes were saved.');
    },
  });
  const { rows } = form.values;
  const ofServer = saving.error instanceof ProblemError ? saving.error.of('attributes') : undefined;
  return (
    <Section
      title="Attributes"
      lead="What identity policies refer to, e.g. {{attributes.employee_id}}, to tell whose rows one sees in a report."
    >
      <form onSubmit={form.onSubmit((values) => saving.mutate(attributesOf(values.rows)))}>
        <Stack gap="sm" maw={640}>
          {saving.error !== null && ofServer === undefined && <ProblemAlert error={saving.error} />}
          {rows.length === 0 && (
            <Text size="sm" c="dimmed">
              There are none.
            </Text>
          )}
          {rows.map(({ key }, index) => (
            <Group key={key} gap="xs" align="flex-start" wrap="nowrap">
              <TextInput
                flex={1}
                aria-label={`Name of attribute ${index + 1}`}
                placeholder="Name"
                {...form.getInputProps(`rows.${index}.name`)}
              />
              <TextInput
                flex={2}
                aria-label={`Value of attribute ${index + 1}`}
                placeholder="Value"
                maxLength={256}
                {...form.getInputProps(`rows.${index}.value`)}
              />
              <ActionIcon
                variant="subtle"
                color="gray"
                size="input-sm"
                aria-label={`Remove attribute ${index + 1}`}
                onClick={() => form.removeListItem('rows', index)}
              >
                <IconX size={16} aria-hidden />
              </ActionIcon>
            </Group>
          ))}
          {ofServer !== undefined && (
            <Text size="sm" c="red" role="alert">
              {ofServer}
            </Text>
          )}
          <Group>
            <Button type="submit" disabled={!form.isDirty()} loading={saving.isPending}>
              Save attributes
            </Button>
            <Button
              variant="default"
              disabled={rows.length >= MAX_ATTRIBUTES}
              onClick={() => form.insertListItem('rows', rowOf())}
            >
              Add an attribute
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}
