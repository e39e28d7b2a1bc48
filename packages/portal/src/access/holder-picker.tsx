import { useMemo } from 'react';
import { t } from 'i18next';
import { candidatesIn } from '../api/sources.js';
import { type PickerProps, RemoteSelect } from '../components/remote-select.js';
import { holderOf, type HolderRef, keyOf } from './holder.js';

interface Props extends Omit<PickerProps, 'label' | 'value' | 'onChange'> {
  workspaceId: string;
  value: HolderRef | undefined;
  onChange: (holder: HolderRef | undefined) => void;
}

/** People, service accounts and groups to which the caller can grant access in a workspace. */
export function HolderPicker({ workspaceId, value, onChange, ...props }: Props) {
  const source = useMemo(() => candidatesIn(workspaceId), [workspaceId]);
  return (
    <RemoteSelect
      label={t('User or group')}
      placeholder={t('Search by name or email')}
      {...props}
      source={source}
      value={value === undefined ? null : keyOf(value)}
      onChange={(key) => onChange(key === null ? undefined : holderOf(key))}
    />
  );
}
