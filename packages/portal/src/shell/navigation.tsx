import { Divider, NavLink, Text } from '@mantine/core';
import { IconArrowLeft, IconSettings } from '@tabler/icons-react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';
import { msg } from '../i18n/index.js';
import type { Me } from '../session/use-session.js';
import { adminPagesOf, isAt, type PageEntry, type PageGroup, readerPages } from './pages.js';

interface LinkProps extends PageEntry {
  onNavigate: () => void;
}

function PageLink({ to, label, icon: Icon, onNavigate }: LinkProps) {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  return (
    <NavLink
      className="nav-link"
      component={Link}
      to={to}
      label={t(label)}
      leftSection={<Icon size={18} aria-hidden />}
      active={isAt(pathname, to)}
      aria-current={pathname === to ? 'page' : undefined}
      onClick={onNavigate}
    />
  );
}

interface GroupProps extends PageGroup {
  onNavigate: () => void;
}

function Pages({ title, entries, onNavigate }: GroupProps) {
  const { t } = useTranslation();
  const id = useId();
  return (
    <div role="group" aria-labelledby={id}>
      <Text id={id} size="xs" fw={600} px="sm" pt="sm" pb={4} c="dimmed">
        {t(title)}
      </Text>
      {entries.map((entry) => (
        <PageLink key={entry.to} {...entry} onNavigate={onNavigate} />
      ))}
    </div>
  );
}

interface Props {
  me: Me | undefined;
  onNavigate: () => void;
}

/** The reader's pages; on a page of the administration, those of the administration. */
export function Navigation({ me, onNavigate }: Props) {
  const { pathname } = useLocation();
  const groups = adminPagesOf(me);
  const [first] = groups.flatMap(({ entries }) => entries);
  if (groups.some(({ entries }) => entries.some(({ to }) => isAt(pathname, to)))) {
    return (
      <>
        <PageLink to="/" label={msg('Back to reports')} icon={IconArrowLeft} onNavigate={onNavigate} />
        {groups.map((group) => (
          <Pages key={group.title} {...group} onNavigate={onNavigate} />
        ))}
      </>
    );
  }
  return (
    <>
      {readerPages.map((entry) => (
        <PageLink key={entry.to} {...entry} onNavigate={onNavigate} />
      ))}
      {first !== undefined && (
        <>
          <Divider my="sm" />
          <PageLink to={first.to} label={msg('Admin')} icon={IconSettings} onNavigate={onNavigate} />
        </>
      )}
    </>
  );
}
