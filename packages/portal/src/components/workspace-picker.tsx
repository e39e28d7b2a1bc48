import { workspaces } from '../api/sources.js';
import { type PickerProps, RemoteSelect } from './remote-select.js';

export const WorkspacePicker = (props: PickerProps) => (
  <RemoteSelect placeholder="Name of a workspace" {...props} source={workspaces} />
);
