import { Box, Button, Group } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { Link, useRouteError } from 'react-router';
import { Page } from '../components/page.js';
import { Loading } from '../components/states.js';
import { LoadError } from './load-error.js';
import { useServiceState } from './use-service-state.js';

/** A browser keeps the failed load of a module: only a fresh page loads it again. */
const reload = (): void => location.reload();

interface StateProps {
  title: string;
  text: string;
  children: ReactNode;
}

const State = ({ title, text, children }: StateProps) => (
  <Page title={title} lead={text}>
    <Group>{children}</Group>
  </Page>
);

const Unreachable = ({ onRetry }: { onRetry: () => void }) => (
  <State
    title={navigator.onLine ? 'Vitrine cannot be reached' : 'You are offline'}
    text="This page loads as soon as the connection is back."
  >
    <Button onClick={onRetry}>Try again</Button>
  </State>
);

const Updated = () => (
  <State title="Vitrine was updated" text="Reload to use the new version.">
    <Button onClick={reload}>Reload</Button>
  </State>
);

const Broken = () => (
  <State
    title="Something went wrong"
    text="Reload the page. If that does not help, contact your administrator."
  >
    <Button onClick={reload}>Reload</Button>
    <Button component={Link} to="/" variant="default">
      Back to your workspaces
    </Button>
  </State>
);

function NotLoaded() {
  const { state, cameBack, check } = useServiceState();
  useEffect(() => {
    if (cameBack) reload();
  }, [cameBack]);
  if (state === undefined || cameBack) return <Loading />;
  if (state === 'unreachable') return <Unreachable onRetry={check} />;
  return state === 'updated' ? <Updated /> : <Broken />;
}

/** In place of a page that was not loaded or that failed; what is around it stays usable. */
export function RouteError() {
  const error = useRouteError();
  useEffect(() => console.error(error), [error]);
  return <div role="alert">{error instanceof LoadError ? <NotLoaded /> : <Broken />}</div>;
}

/** The same for a failure of what is around the pages. */
export const ShellError = () => (
  <Box component="main" p="md">
    <RouteError />
  </Box>
);
