import { t } from 'i18next';
import { reports } from '../api/sources.js';
import { type PickerProps, RemoteSelect } from './remote-select.js';

export const ReportPicker = (props: PickerProps) => (
  <RemoteSelect placeholder={t('Search reports')} {...props} source={reports} />
);
