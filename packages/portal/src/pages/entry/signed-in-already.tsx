import { Button, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Trans } from 'react-i18next';
import { Link } from 'react-router';
import { t } from 'i18next';
import { ProblemAlert } from '../../components/states.js';
import { session } from '../../session/session.js';
import { useMe } from '../../session/use-session.js';
import { EntryPage } from '../../shell/entry-page.js';

/** An invitation opened while signed in: it would create another account. */
export function SignedInAlready() {
  const { data: me } = useMe();
  const signOut = useMutation({ mutationFn: () => session.signOut() });
  return (
    <EntryPage title={t('Your invitation')}>
      <Text>
        <Trans
          i18nKey="You are signed in as <b>{{name}}</b> ({{email}})."
          values={{ name: me?.name ?? '…', email: me?.email ?? '…' }}
          components={{ b: <b /> }}
        />
      </Text>
      <Text>
        {t(
          "This invitation is for someone who doesn't have an account yet. If it is yours, you have already accepted it. If it is for someone else, sign out first.",
        )}
      </Text>
      {signOut.error !== null && <ProblemAlert error={signOut.error} />}
      <Button loading={signOut.isPending} onClick={() => signOut.mutate()}>
        {t('Sign out and continue')}
      </Button>
      <Button component={Link} to="/" variant="default">
        {t('Go to your workspaces')}
      </Button>
    </EntryPage>
  );
}
