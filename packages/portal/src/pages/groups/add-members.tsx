import { Button, Group as Row, Stack } from '@mantine/core';
import { useMemo, useState } from 'react';
import { t } from 'i18next';
import { type Choice, groupMembersFor } from '../../api/sources.js';
import { Dialog } from '../../components/dialog.js';
import { notifyDone } from '../../components/notify.js';
import { RemoteMultiSelect } from '../../components/remote-multi-select.js';
import { ProblemAlert } from '../../components/states.js';
import { type Group, useAddMembers } from './use-groups.js';

const messageFor = (chosen: readonly Choice[], group: Group): string =>
  chosen.length === 1
    ? t('Added {{name}} to {{group}}.', { name: chosen[0]?.name, group: group.name })
    : t('Added {{count}} members to {{group}}.', { count: chosen.length, group: group.name });

/** Adds several users and groups at once. */
export function AddMembers({ group, onClose }: { group: Group; onClose: () => void }) {
  const [chosen, setChosen] = useState<Choice[]>([]);
  const add = useAddMembers(group.id);
  const source = useMemo(() => groupMembersFor(group.id), [group.id]);
  const submit = () =>
    add.mutate(chosen, {
      onSuccess: () => {
        notifyDone(messageFor(chosen, group));
        onClose();
      },
    });
  return (
    <Dialog onClose={onClose} title={t('Add members to {{group}}', { group: group.name })}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (chosen.length > 0) submit();
        }}
      >
        <Stack>
          {add.error !== null && <ProblemAlert error={add.error} />}
          <RemoteMultiSelect
            label={t('Users and groups')}
            description={t('Members of an added group become members of this group.')}
            placeholder={t('Search by name or email')}
            data-autofocus
            source={source}
            value={chosen}
            onChange={setChosen}
          />
          <Row justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('Cancel')}
            </Button>
            <Button type="submit" disabled={chosen.length === 0} loading={add.isPending}>
              {t('Add members')}
            </Button>
          </Row>
        </Stack>
      </form>
    </Dialog>
  );
}
