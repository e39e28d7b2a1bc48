import { t } from 'i18next';
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
        notifyDone(t('Removed {{name}} from {{target}}.', { name: holderName, target: targetName }));
        onClose();
      },
    });
  return (
    <Confirm
      title={t('Remove {{name}} from {{target}}?', { name: holderName, target: targetName })}
      action={t('Remove')}
      opened
      change={remove}
      onConfirm={confirm}
      onClose={onClose}
    >
      {isOwn
        ? t("You're removing your own access and can't restore it yourself.")
        : t(
            'Access through other grants and groups remains. Open reports stay open until their token expires.',
          )}
    </Confirm>
  );
}
