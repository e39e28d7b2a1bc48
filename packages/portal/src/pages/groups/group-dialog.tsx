import { Button, Group as Row, Stack, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { UseMutationResult } from '@tanstack/react-query';
import { t } from 'i18next';
import { ProblemError } from '../../api/problem.js';
import { changesIn } from '../../components/changes-in.js';
import { Dialog } from '../../components/dialog.js';
import { ProblemAlert } from '../../components/states.js';
import type { Group, GroupValues } from './use-groups.js';

interface Props {
  title: string;
  /** The label of the button. */
  action: string;
  group?: Group;
  save: UseMutationResult<Group, Error, GroupValues>;
  onSaved: (group: Group) => void;
  onClose: () => void;
}

/** The name and description of a new or an existing group. */
export function GroupDialog({ title, action, group, save, onSaved, onClose }: Props) {
  const form = useForm({
    initialValues: { name: group?.name ?? '', description: group?.description ?? '' },
  });
  const errorOf = (field: string) => (save.error instanceof ProblemError ? save.error.of(field) : undefined);
  const isFieldError = errorOf('name') !== undefined || errorOf('description') !== undefined;
  const submit = form.onSubmit(() => {
    const changes = changesIn(form);
    // An empty description removes it.
    save.mutate(changes.description?.trim() === '' ? { ...changes, description: null } : changes, {
      onSuccess: onSaved,
    });
  });
  return (
    <Dialog onClose={onClose} title={title}>
      <form onSubmit={submit}>
        <Stack>
          {save.error !== null && !isFieldError && <ProblemAlert error={save.error} />}
          <TextInput
            label={t('Name')}
            required
            maxLength={200}
            data-autofocus
            {...form.getInputProps('name')}
            error={errorOf('name')}
          />
          <Textarea
            label={t('Description (optional)')}
            autosize
            maxLength={1000}
            {...form.getInputProps('description')}
            error={errorOf('description')}
          />
          <Row justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('Cancel')}
            </Button>
            <Button type="submit" loading={save.isPending}>
              {action}
            </Button>
          </Row>
        </Stack>
      </form>
    </Dialog>
  );
}
