import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import './home.css';
import '../reports/reports.css';
import { titleOf } from '../../branding/branding.js';
import { Page } from '../../components/page.js';
import { useNow } from '../../components/use-now.js';
import { Onboarding } from '../../onboarding/onboarding.js';
import { useMe } from '../../session/use-session.js';
import { greeting } from './greeting.js';
import { Favourites, NewReports, Recents } from './reports-sections.js';
import { WorkspaceCards } from './workspace-cards.js';

export function Component() {
  const { t } = useTranslation();
  const { data: me } = useMe();
  const title = useNow(() => greeting(me?.name));
  // The greeting is no title for a tab.
  useEffect(() => {
    document.title = titleOf(t('Home'));
  }, [t, title]);
  return (
    <Page title={title}>
      <Onboarding />
      <Favourites />
      <Recents />
      {me && <NewReports person={me.id} />}
      <WorkspaceCards />
    </Page>
  );
}
