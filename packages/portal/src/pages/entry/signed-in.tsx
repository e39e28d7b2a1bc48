import { Button } from '@mantine/core';
import { Link, type LoaderFunctionArgs, replace, useLoaderData } from 'react-router';
import { ProblemAlert } from '../../components/states.js';
import type { SignInState } from '../../session/own-path.js';
import { finishProviderSignIn, type Outcome } from '../../session/provider-sign-in.js';
import { EntryPage } from '../../shell/entry-page.js';

/** Not in an effect: those may run twice, and a code must not be sent twice. */
export async function loader({ request }: LoaderFunctionArgs): Promise<Outcome | Response> {
  const outcome = await finishProviderSignIn(new URL(request.url).searchParams);
  return outcome.problem === undefined ? replace(outcome.destination) : outcome;
}

/** Where the identity provider leads back to; seen only by those who were not let in. */
export function Component() {
  const { destination, problem } = useLoaderData<Outcome>();
  const state: SignInState = { from: destination };
  return (
    <EntryPage title="Signing in">
      <ProblemAlert error={problem} />
      <Button component={Link} to="/sign-in" state={state} variant="default">
        Back to signing in
      </Button>
    </EntryPage>
  );
}
