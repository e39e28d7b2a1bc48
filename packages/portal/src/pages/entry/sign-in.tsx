import { Alert, Divider } from '@mantine/core';
import { Navigate, useLocation } from 'react-router';
import { Loading } from '../../components/states.js';
import { destinationOf, type SignInState } from '../../session/own-path.js';
import { session } from '../../session/session.js';
import type { End } from '../../session/tab-session.js';
import { useSessionState } from '../../session/use-session.js';
import { settings } from '../../settings.js';
import { EntryPage } from '../../shell/entry-page.js';
import { Unreachable } from '../../shell/unreachable.js';
import { PasswordForm } from './password-form.js';
import { ProviderButton } from './provider-button.js';

const ends: Record<End, string> = {
  signed_out: 'You have signed out.',
  signed_out_elsewhere: 'You have signed out in another tab.',
  ended:
    'Your session has ended: it ran out, or it was ended somewhere else, by a new password for example. Sign in again to go on where you were.',
};

/** What has just happened, told once: it is forgotten with the page. */
function Why({ isReset }: { isReset: boolean }) {
  const text = isReset
    ? 'Your password was changed. Sign in with the new one.'
    : session.ended && ends[session.ended];
  if (text === undefined) return null;
  return (
    <Alert color={isReset ? 'green' : 'blue'} role="status">
      {text}
    </Alert>
  );
}

const NotSecure = () => (
  <Alert color="orange" title="This address is not secure">
    Browsers keep nobody signed in over plain http. Open Vitrine by its https address.
  </Alert>
);

export function Component() {
  const { state: arrival } = useLocation();
  const destination = destinationOf(arrival);
  const state = useSessionState();
  if (state === 'signed_in') return <Navigate to={destination} replace />;
  if (state === 'unknown') return <Loading />;
  if (state === 'unreachable') return <Unreachable />;
  return (
    <EntryPage title="Sign in">
      <Why isReset={(arrival as SignInState | null)?.isReset === true} />
      {!isSecureContext && <NotSecure />}
      {settings.identityProvider && <ProviderButton destination={destination} />}
      {settings.identityProvider && settings.passwordSignIn && <Divider label="or" />}
      {settings.passwordSignIn && <PasswordForm />}
    </EntryPage>
  );
}
