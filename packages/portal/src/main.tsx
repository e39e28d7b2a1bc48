import './mantine.css';
import './portal.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { useTranslation } from 'react-i18next';
import { RouterProvider } from 'react-router';
import { queryClient } from './api/query-client.js';
import { Branded } from './branding/branded.js';
import { Notices } from './components/notices.js';
import { notifyOfLeft } from './components/notify-of-left.js';
import { startI18n } from './i18n/index.js';
import { restoreTimeZone, useTimeZone } from './i18n/time-zone.js';
import { router } from './router.js';
import { session } from './session/session.js';
import { keepFocus } from './shell/keep-focus.js';

// The cookie is tried once; what comes of it is the session's state.
session.renew().catch(() => undefined);

keepFocus();
notifyOfLeft(queryClient);
restoreTimeZone();
await startI18n();

/** Mounted again in another language or time zone: texts and times are formatted outside hooks too. */
function Localized() {
  const { i18n } = useTranslation();
  const timeZone = useTimeZone();
  return <RouterProvider key={`${i18n.language} ${timeZone}`} router={router} />;
}

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no #root.');
createRoot(root).render(
  <StrictMode>
    <Branded>
      <QueryClientProvider client={queryClient}>
        <Notices />
        <Localized />
      </QueryClientProvider>
    </Branded>
  </StrictMode>,
);
