import { AppShell, Burger, Group, ScrollArea, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Suspense } from 'react';
import { Outlet, ScrollRestoration } from 'react-router';
import { Loading } from '../components/states.js';
import { useMe } from '../session/use-session.js';
import { Logo } from './logo.js';
import { Navigation } from './navigation.js';
import { UserMenu } from './user-menu.js';

/** By focus, not by address: with a <base>, `#content` would lead to another page. */
const SkipLink = () => (
  <button type="button" className="skip-link" onClick={() => document.getElementById('content')?.focus()}>
    Skip to the content
  </button>
);

export function Shell() {
  const [opened, { toggle, close }] = useDisclosure();
  const { data: me } = useMe();
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 220, breakpoint: 'sm', collapsed: { mobile: !opened } }}
      padding="md"
    >
      <ScrollRestoration />
      <SkipLink />
      <AppShell.Header px="md">
        <Group h="100%" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger
              opened={opened}
              onClick={toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={opened ? 'Close the menu' : 'Open the menu'}
            />
            <Logo />
            <Title order={2} size="h4">
              Vitrine
            </Title>
          </Group>
          <UserMenu me={me} />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label="Pages">
        <ScrollArea type="auto">
          <Navigation me={me} onNavigate={close} />
        </ScrollArea>
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1}>
        <Suspense fallback={<Loading />}>
          <Outlet />
        </Suspense>
      </AppShell.Main>
    </AppShell>
  );
}
