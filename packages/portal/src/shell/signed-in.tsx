import { Navigate, useLocation } from 'react-router';
import { Loading } from '../components/states.js';
import type { SignInState } from '../session/own-path.js';
import { session } from '../session/session.js';
import { usePerson, useSessionState } from '../session/use-session.js';
import { Shell } from './shell.js';
import { Unreachable } from './unreachable.js';

/** Around the pages for signed-in people; others sign in first and come back to where they wanted to go. */
export function SignedIn() {
  const state = useSessionState();
  const person = usePerson();
  const { pathname, search, hash } = useLocation();
  if (state === 'signed_in') return <Shell key={person} />;
  if (state === 'unknown') return <Loading />;
  if (state === 'unreachable') {
    return (
      <main>
        <Unreachable />
      </main>
    );
  }
  const isLeaving = session.ended === 'signed_out' || session.ended === 'signed_out_elsewhere';
  const next: SignInState = isLeaving ? {} : { from: pathname + search + hash };
  return <Navigate to="/sign-in" replace state={next} />;
}
