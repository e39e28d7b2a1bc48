import { ActionIcon, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { IconX } from '@tabler/icons-react';
import { t } from 'i18next';
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
  withChanges,
  wrongRows,
} from './attribute-rows.js';

type Attributes = Record<string, string>;

interface Props {
  attributes: Attributes;
  /** The attributes as they are now. */
  load: () => Promise<Attributes>;
  /** Replaces all attributes. */
  save: (attributes: Attributes) => Promise<unknown>;
}

interface Values {
  rows: AttributeRow[];
}

export function AttributesEditor({ attributes, load, save }: Props) {
  const form = useForm<Values>({
    initialValues: { rows: rowsOf(attributes) },
    validate: ({ rows }) => wrongRows(rows),
  });
  const saving = useMutation({
    mutationFn: async (submitted: AttributeRow[]) => {
      const before = attributesOf(form.getInitialValues().rows);
      const next = withChanges(await load(), before, attributesOf(submitted));
      await save(next);
      return next;
    },
    onSuccess: (saved, submitted) => {
      if (form.getValues().rows === submitted) {
        const rows = rowsOf(saved);
        form.setInitialValues({ rows });
        form.setValues({ rows });
      } else {
        // Edited since it was submitted: the next save sends these changes.
        form.setInitialValues({ rows: submitted });
      }
      notifyDone(t('Attributes saved.'));
    },
  });
  const { rows } = form.values;
  const serverError = saving.error instanceof ProblemError ? saving.error.of('attributes') : undefined;
  return (
    <Section
      title={t('Attributes')}
      lead={t('Values for row-level security. Policies refer to them, for example as {{example}}.', {
        example: '{{attributes.employee_id}}',
      })}
    >
      <form onSubmit={form.onSubmit((values) => saving.mutate(values.rows))}>
        <Stack gap="sm" maw={640}>
          {saving.error !== null && serverError === undefined && <ProblemAlert error={saving.error} />}
          {rows.length === 0 && (
            <Text size="sm" c="dimmed">
              {t('No attributes')}
            </Text>
          )}
          {rows.map(({ key, name }, index) => (
            <Group key={key} gap="xs" align="flex-start" wrap="nowrap">
              <TextInput
                flex={1}
                aria-label={t('Name of attribute {{number}}', { number: index + 1 })}
                placeholder={t('Name')}
                // A row that was just added.
                autoFocus={name === ''}
                {...form.getInputProps(`rows.${index}.name`)}
              />
              <TextInput
                flex={2}
                aria-label={t('Value of attribute {{number}}', { number: index + 1 })}
                placeholder={t('Value')}
                maxLength={256}
                {...form.getInputProps(`rows.${index}.value`)}
              />
              <ActionIcon
                variant="subtle"
                color="gray"
                size="input-sm"
                aria-label={t('Remove attribute {{number}}', { number: index + 1 })}
                onClick={() => form.removeListItem('rows', index)}
              >
                <IconX size={16} aria-hidden />
              </ActionIcon>
            </Group>
          ))}
          {serverError !== undefined && (
            <Text size="sm" c="red" role="alert">
              {serverError}
            </Text>
          )}
          <Group>
            <Button type="submit" disabled={!form.isDirty()} loading={saving.isPending}>
              {t('Save attributes')}
            </Button>
            <Button
              variant="default"
              disabled={rows.length >= MAX_ATTRIBUTES}
              onClick={() => form.insertListItem('rows', rowOf())}
            >
              {t('Add attribute')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}
