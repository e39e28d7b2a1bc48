import { Button, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from 'react-router';
import { ProblemAlert } from '../../components/states.js';
import { session } from '../../session/session.js';
import { useMe } from '../../session/use-session.js';
import { EntryPage } from '../../shell/entry-page.js';

/** Who follows an invitation while somebody is signed in: an invitation makes an account of its own. */
export function SignedInAlready() {
  const { data: me } = useMe();
  const signOut = useMutation({ mutationFn: () => session.signOut() });
  return (
    <EntryPage title="Your invitation">
      <Text>
        You are signed in as <b>{me === undefined ? '…' : `${me.name} (${me.email})`}</b>. An invitation is
        for somebody who has no account yet. If this one is yours, you have accepted it already. If it is for
        somebody else, sign out first.
      </Text>
      {signOut.error !== null && <ProblemAlert error={signOut.error} />}
      <Button loading={signOut.isPending} onClick={() => signOut.mutate()}>
        Sign out and go on
      </Button>
      <Button component={Link} to="/" variant="default">
        To your workspaces
      </Button>
    </EntryPage>
  );
}
