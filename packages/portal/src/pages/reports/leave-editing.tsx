import { useBlocker } from 'react-router';
import { Confirm } from '../../components/confirm.js';

/** Power BI does not tell whether there is something to save. */
export function LeaveEditing() {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      currentLocation.pathname !== nextLocation.pathname ||
      new URLSearchParams(nextLocation.search).get('mode') !== 'edit',
  );
  return (
    <Confirm
      title="Stop editing?"
      action="Stop editing"
      opened={blocker.state === 'blocked'}
      onConfirm={() => blocker.proceed?.()}
      onClose={() => blocker.reset?.()}
    >
      What you have not saved in the report is lost.
    </Confirm>
  );
}
