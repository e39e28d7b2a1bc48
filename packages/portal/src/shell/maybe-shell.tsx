import { Box } from '@mantine/core';
import { Outlet } from 'react-router';
import { Loading } from '../components/states.js';
import { usePerson, useSessionState } from '../session/use-session.js';
import { Shell } from './shell.js';

/** Around what everyone can open: with the navigation for people who are signed in. */
export function MaybeShell() {
  const state = useSessionState();
  const person = usePerson();
  if (state === 'signed_in') return <Shell key={person} />;
  if (state === 'unknown') return <Loading />;
  return (
    <Box component="main" p="md">
      <Outlet />
    </Box>
  );
}
