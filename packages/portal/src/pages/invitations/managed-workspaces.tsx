import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { t } from 'i18next';
import { api, read } from '../../api/client.js';
import { titleOfError } from '../../api/problem-texts.js';
import type { PickerProps } from '../../components/remote-select.js';
import { WorkspacePicker } from '../../components/workspace-picker.js';
import { isAdmin, manages, useMe } from '../../session/use-session.js';

/** Managers have few workspaces: all are loaded. */
function ManagedPicker(props: PickerProps) {
  const { data: me } = useMe();
  const { data, isFetching, error, refetch } = useQuery({
    queryKey: ['workspaces', 'managed'],
    queryFn: async ({ signal }) => {
      const query = { sort: 'name', limit: 1000 } as const;
      return (await read(api.GET('/api/workspaces', { params: { query }, signal }))).workspaces;
    },
  });
  const managed = (data ?? []).filter(({ id }) => manages(me, id));
  const failure = titleOfError(error);
  return (
    <Select
      placeholder={t('Select a workspace you manage')}
      {...props}
      error={props.error ?? failure}
      onDropdownOpen={() => {
        if (error !== null) void refetch();
      }}
      required={false}
      withAsterisk={props.required}
      searchable
      data={managed.map(({ id, name }) => ({ value: id, label: name }))}
      nothingFoundMessage={
        isFetching ? t('Searching…') : (failure ?? t('No matching workspaces that you manage'))
      }
    />
  );
}

/** The workspaces that the signed-in user may invite to. */
export function InvitingPicker(props: PickerProps) {
  const { data: me } = useMe();
  return isAdmin(me) ? <WorkspacePicker {...props} /> : <ManagedPicker {...props} />;
}
