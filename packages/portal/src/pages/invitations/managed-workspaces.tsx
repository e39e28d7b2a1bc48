import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api, read } from '../../api/client.js';
import type { PickerProps } from '../../components/remote-select.js';
import { WorkspacePicker } from '../../components/workspace-picker.js';
import { isAdmin, manages, useMe } from '../../session/use-session.js';

/** A manager has few enough to be listed. */
function ManagedPicker(props: PickerProps) {
  const { data: me } = useMe();
  const { data, isPending } = useQuery({
    queryKey: ['workspaces', 'managed'],
    queryFn: async ({ signal }) => {
      const query = { sort: 'name', limit: 1000 } as const;
      return (await read(api.GET('/api/workspaces', { params: { query }, signal }))).workspaces;
    },
  });
  const managed = (data ?? []).filter(({ id }) => manages(me, id));
  return (
    <Select
      placeholder="One that you manage"
      {...props}
      required={false}
      withAsterisk={props.required}
      searchable
      data={managed.map(({ id, name }) => ({ value: id, label: name }))}
      nothingFoundMessage={isPending ? 'Searching…' : 'You manage no workspace of that name'}
    />
  );
}

/** Of the workspaces that the person who looks may invite into. */
export function InvitingPicker(props: PickerProps) {
  const { data: me } = useMe();
  return isAdmin(me) ? <WorkspacePicker {...props} /> : <ManagedPicker {...props} />;
}
