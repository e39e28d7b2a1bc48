import { useTranslation } from 'react-i18next';
import { useBlocker } from 'react-router';
import { Confirm } from '../../components/confirm.js';
import { useAskBeforeUnload } from '../../components/use-ask-before-unload.js';

/** Power BI does not tell whether there is something to save. */
export default function LeaveEditing() {
  const { t } = useTranslation();
  useAskBeforeUnload(true);
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      currentLocation.pathname !== nextLocation.pathname ||
      new URLSearchParams(nextLocation.search).get('mode') !== 'edit',
  );
  return (
    <Confirm
      title={t('Discard unsaved changes?')}
      action={t('Discard')}
      opened={blocker.state === 'blocked'}
      onConfirm={() => blocker.proceed?.()}
      onClose={() => blocker.reset?.()}
    >
      {t('Changes that you have not saved in the report are lost.')}
    </Confirm>
  );
}
