import { reports } from '../api/sources.js';
import { type PickerProps, RemoteSelect } from './remote-select.js';

export const ReportPicker = (props: PickerProps) => (
  <RemoteSelect placeholder="Name of a report" {...props} source={reports} />
);
