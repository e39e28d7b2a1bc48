import './shell.css';
import { AppShell, Burger } from '@mantine/core';
import { useDisclosure, useMediaQuery } from '@mantine/hooks';
import { IconHelp } from '@tabler/icons-react';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, Outlet, ScrollRestoration, useLocation, useMatch } from 'react-router';
import { Loading } from '../components/states.js';
import { usePreferences } from '../session/preferences.js';
import { useMe, usePerson } from '../session/use-session.js';
import { useVisit } from '../session/visits.js';
import { SearchButton } from '../search/search-button.js';
import { BrandLink } from './brand.js';
import { Navigation } from './navigation.js';
import { UserMenu } from './user-menu.js';

/** By focus, not by address: with a <base>, `#content` would lead to another page. */
function SkipLink() {
  const { t } = useTranslation();
  return (
    <button type="button" className="skip-link" onClick={() => document.getElementById('content')?.focus()}>
      {t('Skip to content')}
    </button>
  );
}

/** A phone on its side has no room for two headers: a report keeps its own, which leads back. */
function useHeaderIsHidden(): boolean {
  const isReport = useMatch('/reports/:id') !== null;
  const isLow = useMediaQuery('(max-height: 480px)', false, { getInitialValueInEffect: false });
  return isReport && isLow;
}

export function Shell() {
  const { t } = useTranslation();
  usePreferences();
  const [opened, { toggle, close }] = useDisclosure();
  const { data: me } = useMe();
  const isHidden = useHeaderIsHidden();
  const { pathname } = useLocation();
  useVisit(usePerson(), pathname);
  return (
    <AppShell
      header={{ height: 56, collapsed: isHidden }}
      navbar={{ width: 224, breakpoint: 'sm', collapsed: { mobile: !opened, desktop: isHidden } }}
      padding={isHidden ? 8 : { base: 16, md: 24 }}
    >
      <ScrollRestoration />
      <SkipLink />
      <AppShell.Header className="shell-header" mod={{ hidden: isHidden }}>
        <div className="shell-header-start">
          <Burger
            opened={opened}
            onClick={toggle}
            hiddenFrom="sm"
            size="sm"
            aria-label={opened ? t('Close menu') : t('Open menu')}
          />
          <BrandLink />
        </div>
        <SearchButton />
        <div className="shell-header-end">
          <Link to="/help" className="help-link" aria-label={t('Help')} title={t('Help')}>
            <IconHelp aria-hidden />
          </Link>
          <UserMenu me={me} />
        </div>
      </AppShell.Header>
      <AppShell.Navbar p={4} aria-label={t('Pages')} className="shell-navigation">
        <div className="shell-scroll">
          <Navigation me={me} onNavigate={close} />
        </div>
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1} className="shell-main">
        <div className="shell-content">
          <Suspense fallback={<Loading />}>
            {/* The page of another workspace keeps no rows, dialogs or input of the one before. */}
            <Outlet key={pathname} />
          </Suspense>
        </div>
      </AppShell.Main>
    </AppShell>
  );
}
