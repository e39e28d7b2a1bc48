import { Divider, NavLink, Text } from '@mantine/core';
import {
  IconActivityHeartbeat,
  IconChartBar,
  IconCode,
  IconDatabase,
  IconHistory,
  IconLayoutGrid,
  IconListCheck,
  IconMail,
  IconRefresh,
  IconReportAnalytics,
  IconRobot,
  IconUsers,
  IconUsersGroup,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import { Link, useLocation } from 'react-router';
import { isAdmin, managesAny, type Me } from '../session/use-session.js';

interface Entry {
  to: string;
  label: string;
  icon: ComponentType<{ size?: number }>;
}

const everybody: Entry[] = [
  { to: '/workspaces', label: 'Workspaces', icon: IconLayoutGrid },
  { to: '/reports', label: 'Reports', icon: IconReportAnalytics },
];
const invitations: Entry = { to: '/invitations', label: 'Invitations', icon: IconMail };
const analytics: Entry = { to: '/analytics', label: 'Analytics', icon: IconChartBar };
const review: Entry = { to: '/access-review', label: 'Access review', icon: IconListCheck };
const admins: Entry[] = [
  { to: '/users', label: 'Users', icon: IconUsers },
  { to: '/groups', label: 'Groups', icon: IconUsersGroup },
  invitations,
  review,
  { to: '/service-accounts', label: 'Service accounts', icon: IconRobot },
  { to: '/syncs', label: 'Syncs', icon: IconRefresh },
  { to: '/datasets', label: 'Datasets', icon: IconDatabase },
  { to: '/embedding', label: 'Embedding', icon: IconCode },
  analytics,
  { to: '/audit', label: 'Audit trail', icon: IconHistory },
  { to: '/health', label: 'Health', icon: IconActivityHeartbeat },
];

interface Props {
  me: Me | undefined;
  onNavigate: () => void;
}

export function Navigation({ me, onNavigate }: Props) {
  const { pathname } = useLocation();
  const linkTo = ({ to, label, icon: Icon }: Entry) => (
    <NavLink
      key={to}
      component={Link}
      to={to}
      label={label}
      leftSection={<Icon size={18} aria-hidden />}
      active={pathname === to || pathname.startsWith(`${to}/`)}
      aria-current={pathname === to ? 'page' : undefined}
      onClick={onNavigate}
    />
  );
  const managing = isAdmin(me) ? admins : managesAny(me) ? [invitations, review, analytics] : [];
  return (
    <>
      {everybody.map(linkTo)}
      {managing.length > 0 && (
        <>
          <Divider my="sm" />
          <Text size="xs" fw={600} px="sm" pb={4} c="dimmed">
            Manage
          </Text>
          {managing.map(linkTo)}
        </>
      )}
    </>
  );
}
