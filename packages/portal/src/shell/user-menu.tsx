import {
  Avatar,
  Menu,
  Text,
  UnstyledButton,
  VisuallyHidden,
  useComputedColorScheme,
  useMantineColorScheme,
} from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { IconActivityHeartbeat, IconLogout, IconMoon, IconSun, IconUserCircle } from '@tabler/icons-react';
import { Link } from 'react-router';
import { notifyProblem } from '../components/notify.js';
import { session } from '../session/session.js';
import type { Me } from '../session/use-session.js';

export function UserMenu({ me }: { me: Me | undefined }) {
  const { setColorScheme } = useMantineColorScheme();
  const isDark = useComputedColorScheme('light') === 'dark';
  const signOut = useMutation({ mutationFn: () => session.signOut(), onError: notifyProblem });
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <UnstyledButton>
          <Avatar name={me?.name} color="blue" variant="filled" radius="xl" aria-hidden />
          <VisuallyHidden>Your account</VisuallyHidden>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {me !== undefined && (
          <Text size="xs" px="sm" py={6} style={{ overflowWrap: 'anywhere' }}>
            {me.name}
            <br />
            {me.email}
          </Text>
        )}
        <Menu.Item component={Link} to="/account" leftSection={<IconUserCircle size={16} aria-hidden />}>
          Account
        </Menu.Item>
        <Menu.Item
          component={Link}
          to="/health"
          leftSection={<IconActivityHeartbeat size={16} aria-hidden />}
        >
          Is everything working?
        </Menu.Item>
        <Menu.Item
          leftSection={isDark ? <IconSun size={16} aria-hidden /> : <IconMoon size={16} aria-hidden />}
          onClick={() => setColorScheme(isDark ? 'light' : 'dark')}
        >
          {isDark ? 'Light' : 'Dark'} colours
        </Menu.Item>
        <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => signOut.mutate()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
