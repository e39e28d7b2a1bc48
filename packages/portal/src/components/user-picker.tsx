import { t } from 'i18next';
import { principals, users } from '../api/sources.js';
import { type PickerProps, RemoteSelect } from './remote-select.js';

interface Props extends PickerProps {
  /** Offers service accounts too. */
  programs?: boolean;
}

/** For admins: only they can list users. */
export const UserPicker = ({ programs = false, ...props }: Props) => (
  <RemoteSelect
    placeholder={t('Search by name or email')}
    {...props}
    source={programs ? principals : users}
  />
);
