import { Alert, Divider, Text } from '@mantine/core';
import { Navigate, useLocation } from 'react-router';
import { t } from 'i18next';
import { useBranding } from '../../branding/branding.js';
import { SupportLink } from '../../branding/support-link.js';
import { Loading } from '../../components/states.js';
import { destinationOf, type SignInState } from '../../session/own-path.js';
import { msg } from '../../i18n/index.js';
import { session } from '../../session/session.js';
import type { SessionEnd } from '../../session/session-store.js';
import { useSessionState } from '../../session/use-session.js';
import { settings } from '../../settings.js';
import { EntryPage } from '../../shell/entry-page.js';
import { Unreachable } from '../../shell/unreachable.js';
import { PasswordForm } from './password-form.js';
import { ProviderButton } from './provider-button.js';

const ends: Record<SessionEnd, string> = {
  signed_out: msg('You signed out.'),
  signed_out_elsewhere: msg('You signed out in another tab.'),
  ended: msg(
    'Your session has ended. It expired or was ended elsewhere, for example by a password change or because your account was disabled. Sign in to continue where you left off.',
  ),
};

/** Why the sign-in page is shown. Shown once. */
function Reason({ isReset }: { isReset: boolean }) {
  const text = isReset
    ? t('Password changed. Sign in with your new password.')
    : session.ended && t(ends[session.ended]);
  if (text === undefined) return null;
  return (
    <Alert color={isReset ? 'green' : 'blue'} role="status">
      {text}
    </Alert>
  );
}

const NotSecure = () => (
  <Alert color="orange" title={t('This connection is not secure')}>
    {t("You can't stay signed in over HTTP. Open this portal at its HTTPS address.")}
  </Alert>
);

export function Component() {
  const { state: arrival } = useLocation();
  const destination = destinationOf(arrival);
  const state = useSessionState();
  const { signInText } = useBranding();
  if (state === 'signed_in') return <Navigate to={destination} replace />;
  if (state === 'unknown') return <Loading />;
  if (state === 'unreachable') return <Unreachable />;
  return (
    <EntryPage title={t('Sign in')}>
      <Reason isReset={(arrival as SignInState | null)?.isReset === true} />
      {signInText !== null && <Text className="sign-in-text">{signInText}</Text>}
      {!isSecureContext && <NotSecure />}
      {settings.identityProvider && <ProviderButton destination={destination} />}
      {settings.identityProvider && settings.passwordSignIn && <Divider label={t('or')} />}
      {settings.passwordSignIn && <PasswordForm />}
      <SupportLink size="sm" />
    </EntryPage>
  );
}
