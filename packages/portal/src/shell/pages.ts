import {
  IconActivityHeartbeat,
  IconChartBar,
  IconCode,
  IconDatabase,
  IconHistory,
  IconHome,
  IconLayoutGrid,
  IconListCheck,
  IconMail,
  IconPalette,
  IconRefresh,
  IconReportAnalytics,
  IconRobot,
  IconStar,
  IconUserQuestion,
  IconUsers,
  IconUsersGroup,
  IconUserShield,
  IconWebhook,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import { msg } from '../i18n/index.js';
import { isAdmin, managesAny, type Me } from '../session/use-session.js';

export interface PageEntry {
  to: string;
  label: string;
  icon: ComponentType<{ size?: number }>;
  /** Left out: everyone. */
  isFor?: 'admins' | 'managers';
}

export interface PageGroup {
  title: string;
  entries: PageEntry[];
}

export const readerPages: PageEntry[] = [
  { to: '/', label: msg('Home'), icon: IconHome },
  { to: '/favourites', label: msg('Favourites'), icon: IconStar },
  { to: '/workspaces', label: msg('Workspaces'), icon: IconLayoutGrid },
  { to: '/reports', label: msg('Reports'), icon: IconReportAnalytics },
];

/** For readers: managers have the page in the Admin navigation. */
export const ownRequests: PageEntry = {
  to: '/access-requests',
  label: msg('Your access requests'),
  icon: IconUserQuestion,
};

const adminGroups: PageGroup[] = [
  {
    title: msg('People'),
    entries: [
      { to: '/users', label: msg('Users'), icon: IconUsers, isFor: 'admins' },
      { to: '/groups', label: msg('Groups'), icon: IconUsersGroup, isFor: 'admins' },
      { to: '/invitations', label: msg('Invitations'), icon: IconMail, isFor: 'managers' },
      {
        to: '/access-requests',
        label: msg('Access requests'),
        icon: IconUserQuestion,
        isFor: 'managers',
      },
      { to: '/access-review', label: msg('Access reviews'), icon: IconListCheck, isFor: 'managers' },
      { to: '/service-accounts', label: msg('Service accounts'), icon: IconRobot, isFor: 'admins' },
    ],
  },
  {
    title: msg('Content'),
    entries: [
      { to: '/syncs', label: msg('Syncs'), icon: IconRefresh, isFor: 'admins' },
      { to: '/datasets', label: msg('Datasets'), icon: IconDatabase, isFor: 'admins' },
      { to: '/embedding', label: msg('Embedding'), icon: IconCode, isFor: 'managers' },
    ],
  },
  {
    title: msg('Insights'),
    entries: [
      { to: '/analytics', label: msg('Analytics'), icon: IconChartBar, isFor: 'managers' },
      { to: '/audit', label: msg('Audit'), icon: IconHistory, isFor: 'admins' },
    ],
  },
  {
    title: msg('Settings'),
    entries: [
      { to: '/settings/branding', label: msg('Branding'), icon: IconPalette, isFor: 'admins' },
      { to: '/settings/webhooks', label: msg('Webhooks'), icon: IconWebhook, isFor: 'admins' },
      { to: '/settings/provisioning', label: msg('Provisioning'), icon: IconUserShield, isFor: 'admins' },
      { to: '/health', label: msg('Status'), icon: IconActivityHeartbeat, isFor: 'admins' },
    ],
  },
];

const isOpenTo = (me: Me | undefined, { isFor }: PageEntry): boolean =>
  isFor === undefined || isAdmin(me) || (isFor === 'managers' && managesAny(me));

/** The pages of the Admin navigation that a person can use; none for readers. */
export const adminPagesOf = (me: Me | undefined): PageGroup[] =>
  adminGroups
    .map(({ title, entries }) => ({ title, entries: entries.filter((entry) => isOpenTo(me, entry)) }))
    .filter(({ entries }) => entries.length > 0);

export const isAt = (pathname: string, to: string): boolean =>
  pathname === to || (to !== '/' && pathname.startsWith(`${to}/`));
