import { Confirm } from '../components/confirm.js';
import { notifyDone } from '../components/notify.js';
import { type Place, useRemoveGrant } from './use-grants.js';

interface Props {
  place: Place;
  person: string;
  workspace: string;
  /** Of a manager who looks at the own row. */
  locksOut?: boolean;
  onClose: () => void;
}

export function RemoveGrant({ place, person, workspace, locksOut = false, onClose }: Props) {
  const remove = useRemoveGrant();
  const confirm = () =>
    remove.mutate(place, {
      onSuccess: () => {
        notifyDone(`${person} does not see ${workspace} any more.`);
        onClose();
      },
    });
  return (
    <Confirm
      title={`Take ${workspace} away from ${person}?`}
      action="Take away"
      opened
      pending={remove.isPending}
      error={remove.error}
      onConfirm={confirm}
      onClose={onClose}
    >
      {locksOut
        ? 'This is your own access: you cannot give it back to yourself.'
        : 'Its reports are not shown any more. One that is open now can stay open until its token ends.'}
    </Confirm>
  );
}
