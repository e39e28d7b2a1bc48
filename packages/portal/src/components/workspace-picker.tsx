import { t } from 'i18next';
import { workspaces } from '../api/workspace-source.js';
import { type PickerProps, RemoteSelect } from './remote-select.js';

export const WorkspacePicker = (props: PickerProps) => (
  <RemoteSelect placeholder={t('Search workspaces')} {...props} source={workspaces} />
);
