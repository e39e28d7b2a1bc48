import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useState } from 'react';
import { t } from 'i18next';
import { datasets, groups, reports, serviceAccounts, type Source, users } from '../../api/sources.js';
import { workspaces } from '../../api/workspace-source.js';
import { RemoteSelect } from '../../components/remote-select.js';

/** Target types that can be searched by name. */
const sources: Record<string, Source> = {
  user: users,
  service_account: serviceAccounts,
  group: groups,
  workspace: workspaces,
  report: reports,
  dataset: datasets,
};

interface Props {
  type: string | null;
  id: string | null;
  onChange: (id: string | null) => void;
}

function IdField({ id, onChange }: Omit<Props, 'type'>) {
  const [text, setText] = useState(id ?? '');
  const keep = useDebouncedCallback(onChange, 400);
  return (
    <TextInput
      label={t('Target')}
      placeholder={t('ID')}
      value={text}
      onChange={({ currentTarget: { value } }) => {
        setText(value);
        keep(value.trim() === '' ? null : value.trim());
      }}
      // Before a link is followed: kept later, the filter would cancel it.
      onBlur={keep.flush}
    />
  );
}

export function TargetFilter({ type, ...props }: Props) {
  if (type === null)
    return <TextInput label={t('Target')} placeholder={t('Select a target type first')} disabled />;
  const source = sources[type];
  return source === undefined ? (
    <IdField key={type} {...props} />
  ) : (
    <RemoteSelect
      key={type}
      label={t('Target')}
      placeholder={t('Any')}
      source={source}
      value={props.id}
      onChange={props.onChange}
    />
  );
}
