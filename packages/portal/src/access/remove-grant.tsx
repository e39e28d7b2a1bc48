import { Confirm } from '../components/confirm.js';
import { notifyDone } from '../components/notify.js';
import { type Place, useRemoveGrant } from './use-grants.js';

interface Props {
  place: Place;
  holderName: string;
  targetName: string;
  /** Whether managers remove their own access. */
  isOwn?: boolean;
  onClose: () => void;
}

export function RemoveGrant({ place, holderName, targetName, isOwn = false, onClose }: Props) {
  const remove = useRemoveGrant();
  const confirm = () =>
    remove.mutate(place, {
      onSuccess: () => {
        notifyDone(`Removed ${holderName} from ${targetName}.`);
        onClose();
      },
    });
  return (
    <Confirm
      title={`Remove ${holderName} from ${targetName}?`}
      action="Remove"
      opened
      pending={remove.isPending}
      error={remove.error}
      onConfirm={confirm}
      onClose={onClose}
    >
      {isOwn
        ? 'This is your own access. You cannot restore it yourself.'
        : 'Access through other grants and groups remains. A report that is open now may stay open until its token expires.'}
    </Confirm>
  );
}
