import { Anchor, Button, Divider, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link, Navigate } from 'react-router';
import { t } from 'i18next';
import { ProblemError, type ProblemCode } from '../../api/problem.js';
import { Loading, LoadingRows, ProblemAlert } from '../../components/states.js';
import { session, sendInvitation } from '../../session/session.js';
import { useSessionState } from '../../session/use-session.js';
import { settings } from '../../settings.js';
import { EntryPage } from '../../shell/entry-page.js';
import { AcceptForm, type Acceptance } from './accept-form.js';
import { InvitationSummary } from './invitation-summary.js';
import { ProviderButton } from './provider-button.js';
import { SignedInAlready } from './signed-in-already.js';
import { useLinkSecret } from './use-link-secret.js';
import { useInvitationPreview } from './use-preview.js';

const HOME = '/';

/** The invitation can no longer be accepted after these. */
const unusable: readonly ProblemCode[] = [
  'invalid_invitation',
  'invitation_accepted',
  'invitation_expired',
  'invitation_revoked',
];

const isUnusable = (error: unknown): boolean =>
  error instanceof ProblemError && unusable.includes(error.code);

const Incomplete = () => (
  <Text>
    {t('This link is incomplete. Open it from the email again, or copy the whole link into the address bar.')}
  </Text>
);

const ToSignIn = () => (
  <Anchor component={Link} to="/sign-in" size="sm">
    {t('Already have an account? Sign in')}
  </Anchor>
);

/** Why there is no form, and what to do instead. */
function NoForm({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const isAccepted = error instanceof ProblemError && error.code === 'invitation_accepted';
  return (
    <EntryPage title={t('Your invitation')}>
      {error === undefined ? <Incomplete /> : <ProblemAlert error={error} onRetry={onRetry} />}
      {isAccepted ? (
        <Button component={Link} to="/sign-in">
          {t('Sign in')}
        </Button>
      ) : (
        <ToSignIn />
      )}
    </EntryPage>
  );
}

export function Component() {
  const secret = useLinkSecret();
  const state = useSessionState();
  const preview = useInvitationPreview(secret, state === 'signed_out' || state === 'unreachable');
  const accept = useMutation({
    mutationFn: ({ password, name }: Acceptance) =>
      session.signIn({ grant_type: 'invitation', invitation_token: secret ?? '', password, name }),
  });
  if (accept.isSuccess) return <Navigate to={HOME} replace />;
  if (state === 'unknown') return <Loading />;
  if (state === 'signed_in' && !accept.isPending) return <SignedInAlready />;
  if (secret === null) return <NoForm error={undefined} />;
  if (isUnusable(accept.error)) return <NoForm error={accept.error} />;
  if (preview.error !== null) {
    const retry = isUnusable(preview.error) ? undefined : () => void preview.refetch();
    return <NoForm error={preview.error} onRetry={retry} />;
  }
  if (preview.data === undefined) {
    return (
      <EntryPage title={t('Your invitation')}>
        <LoadingRows rows={4} />
      </EntryPage>
    );
  }
  return (
    <EntryPage title={t('Accept your invitation')}>
      <InvitationSummary invitation={preview.data} />
      {settings.identityProvider && (
        <ProviderButton
          destination={HOME}
          label={t('Accept with your organization')}
          before={() => sendInvitation(secret)}
        />
      )}
      {settings.identityProvider && settings.passwordSignIn && <Divider label={t('or choose a password')} />}
      {settings.passwordSignIn && <AcceptForm key={secret} invitation={preview.data} accept={accept} />}
    </EntryPage>
  );
}
