import { Box, Button, Group } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useRouteError } from 'react-router';
import { SupportLink } from '../branding/support-link.js';
import { Page } from '../components/page.js';
import { Loading } from '../components/states.js';
import { ReportProblemButton } from '../support/report-problem.js';
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

function Unreachable({ onRetry }: { onRetry: () => void }) {
  const { t } = useTranslation();
  return (
    <State
      title={navigator.onLine ? t('The service is unavailable') : t('You are offline')}
      text={t('This page loads automatically when the connection is restored.')}
    >
      <Button onClick={onRetry}>{t('Try again')}</Button>
    </State>
  );
}

function Updated() {
  const { t } = useTranslation();
  return (
    <State title={t('A new version is available')} text={t('Reload the page to update.')}>
      <Button onClick={reload}>{t('Reload')}</Button>
    </State>
  );
}

function Broken() {
  const { t } = useTranslation();
  return (
    <State
      title={t('Something went wrong')}
      text={t('Reload the page. If the problem persists, contact your administrator.')}
    >
      <Button onClick={reload}>{t('Reload')}</Button>
      <Button component={Link} to="/" variant="default">
        {t('Go to Home')}
      </Button>
      <SupportLink />
      <ReportProblemButton />
    </State>
  );
}

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
