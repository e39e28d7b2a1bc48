import { principals, users } from '../api/sources.js';
import { type PickerProps, RemoteSelect } from './remote-select.js';

interface Props extends PickerProps {
  /** Offers service accounts too. */
  programs?: boolean;
}

/** For admins: nobody else may list people. */
export const UserPicker = ({ programs = false, ...props }: Props) => (
  <RemoteSelect placeholder="Name or e-mail" {...props} source={programs ? principals : users} />
);
