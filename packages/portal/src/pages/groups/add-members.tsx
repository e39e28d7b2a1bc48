import { Button, Group as Row, Modal, Stack } from '@mantine/core';
import { useMemo, useState } from 'react';
import { type Choice, groupMembersFor } from '../../api/sources.js';
import { notifyDone } from '../../components/notify.js';
import { RemoteMultiSelect } from '../../components/remote-multi-select.js';
import { ProblemAlert } from '../../components/states.js';
import { type Group, useAddMembers } from './use-groups.js';

const addedWords = (chosen: readonly Choice[], group: Group): string => {
  const who = chosen.length === 1 ? chosen[0]?.name : `${chosen.length} members`;
  return `Added ${who} to ${group.name}.`;
};

/** Adds several users and groups at once. */
export function AddMembers({ group, onClose }: { group: Group; onClose: () => void }) {
  const [chosen, setChosen] = useState<Choice[]>([]);
  const add = useAddMembers(group.id);
  const source = useMemo(() => groupMembersFor(group.id), [group.id]);
  const submit = () =>
    add.mutate(chosen, {
      onSuccess: () => {
        notifyDone(addedWords(chosen, group));
        onClose();
      },
    });
  return (
    <Modal
      opened
      onClose={onClose}
      title={`Add members to ${group.name}`}
      centered
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (chosen.length > 0) submit();
        }}
      >
        <Stack>
          {add.error !== null && <ProblemAlert error={add.error} />}
          <RemoteMultiSelect
            label="Users and groups"
            description="Everyone in an added group is in this group, too."
            placeholder="Name or e-mail"
            data-autofocus
            source={source}
            value={chosen}
            onChange={setChosen}
          />
          <Row justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" disabled={chosen.length === 0} loading={add.isPending}>
              Add members
            </Button>
          </Row>
        </Stack>
      </form>
    </Modal>
  );
}
