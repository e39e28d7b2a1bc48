import { notifyProblem } from '../components/notify.js';
import { isAdmin, useMe } from '../session/use-session.js';
import { Checklist } from './checklist.js';
import { useDismissOnboarding, useOnboarding } from './use-onboarding.js';

/** The checklist for administrators, until every step is done or it is dismissed. Home works without it. */
export function Onboarding() {
  const { data: me } = useMe();
  const { data: state } = useOnboarding(isAdmin(me));
  const dismiss = useDismissOnboarding();
  if (!isAdmin(me) || state === undefined || state.dismissed_at !== null) return null;
  if (state.items.every(({ done }) => done)) return null;
  return (
    <Checklist
      items={state.items}
      dismissing={dismiss.isPending}
      onDismiss={() => dismiss.mutate(undefined, { onError: notifyProblem })}
    />
  );
}
