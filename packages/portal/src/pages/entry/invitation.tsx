import { Anchor, Divider, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link, Navigate } from 'react-router';
import { ProblemError, type ProblemCode } from '../../api/problem.js';
import { Loading, ProblemAlert } from '../../components/states.js';
import { session, sendInvitation } from '../../session/session.js';
import { useSessionState } from '../../session/use-session.js';
import { settings } from '../../settings.js';
import { EntryPage } from '../../shell/entry-page.js';
import { AcceptForm, type Acceptance } from './accept-form.js';
import { ProviderButton } from './provider-button.js';
import { SignedInAlready } from './signed-in-already.js';
import { useLinkSecret } from './use-link-secret.js';

const HOME = '/workspaces';

/** After these there is nothing to fill in any more. */
const spent: readonly ProblemCode[] = [
  'invalid_invitation',
  'invitation_accepted',
  'invitation_expired',
  'invitation_revoked',
];

const isSpent = (error: unknown): boolean => error instanceof ProblemError && spent.includes(error.code);

const Incomplete = () => (
  <Text>This link is not complete. Open it from the mail again, or copy all of it into the address bar.</Text>
);

const ToSignIn = () => (
  <Anchor component={Link} to="/sign-in" size="sm">
    I have an account: sign in
  </Anchor>
);

export function Component() {
  const secret = useLinkSecret();
  const state = useSessionState();
  const accept = useMutation({
    mutationFn: ({ password, name }: Acceptance) =>
      session.signIn({ grant_type: 'invitation', invitation_token: secret ?? '', password, name }),
  });
  if (accept.isSuccess) return <Navigate to={HOME} replace />;
  if (state === 'unknown') return <Loading />;
  if (state === 'signed_in' && !accept.isPending) return <SignedInAlready />;
  if (secret === null || isSpent(accept.error)) {
    return (
      <EntryPage title="Your invitation">
        {secret === null ? <Incomplete /> : <ProblemAlert error={accept.error} />}
        <ToSignIn />
      </EntryPage>
    );
  }
  return (
    <EntryPage title="Accept your invitation">
      {settings.identityProvider && (
        <ProviderButton
          destination={HOME}
          label="Accept with your organisation"
          before={() => sendInvitation(secret)}
        />
      )}
      {settings.identityProvider && settings.passwordSignIn && <Divider label="or choose a password" />}
      {settings.passwordSignIn && <AcceptForm accept={accept} />}
    </EntryPage>
  );
}
