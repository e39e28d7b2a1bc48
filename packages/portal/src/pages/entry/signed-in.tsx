import { Button } from '@mantine/core';
import { Link, type LoaderFunctionArgs, replace, useLoaderData } from 'react-router';
import { t } from 'i18next';
import { ProblemAlert } from '../../components/states.js';
import type { SignInState } from '../../session/own-path.js';
import { finishProviderSignIn, type Outcome } from '../../session/provider-sign-in.js';
import { EntryPage } from '../../shell/entry-page.js';
import { focusNextPage } from '../../shell/keep-focus.js';

/** Not in an effect, which may run twice: the code can be used only once. */
export async function loader({ request }: LoaderFunctionArgs): Promise<Outcome | Response> {
  focusNextPage();
  const outcome = await finishProviderSignIn(new URL(request.url).searchParams);
  return outcome.problem === undefined ? replace(outcome.destination) : outcome;
}

/** The redirect target of the identity provider. Shown only if the sign-in failed. */
export function Component() {
  const { destination, problem } = useLoaderData<Outcome>();
  const state: SignInState = { from: destination };
  return (
    <EntryPage title={t('Sign-in failed')}>
      <ProblemAlert error={problem} />
      <Button component={Link} to="/sign-in" state={state} variant="default">
        {t('Back to sign-in')}
      </Button>
    </EntryPage>
  );
}
