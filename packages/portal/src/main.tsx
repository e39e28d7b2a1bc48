import './mantine.css';
import '@mantine/notifications/styles.css';
import './portal.css';
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router';
import { queryClient } from './api/query-client.js';
import { router } from './router.js';
import { session } from './session/session.js';
import { keepFocus } from './shell/keep-focus.js';
import { styleNonce } from './settings.js';
import { theme } from './theme.js';

// The cookie is tried once; what comes of it is the session's state.
session.renew().catch(() => undefined);

keepFocus();

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no #root.');
createRoot(root).render(
  <StrictMode>
    <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={() => styleNonce}>
      <QueryClientProvider client={queryClient}>
        <Notifications position="bottom-right" />
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
