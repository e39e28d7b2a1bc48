import { MantineProvider } from '@mantine/core';
import { init } from 'i18next';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { expect, test } from '@jest/globals';
import { Checklist } from './checklist.js';
import type { OnboardingState } from './use-onboarding.js';

const items: OnboardingState['items'] = [
  { code: 'power_bi', done: true },
  { code: 'mail', done: false, detail: 'SMTP_URL is not set: administrators share links themselves.' },
];

test('the checklist shows for an open step what is missing and where to go', async () => {
  await init({ lng: 'en', resources: {}, keySeparator: false, nsSeparator: false });
  const list = createElement(Checklist, { items, dismissing: false, onDismiss: () => undefined });
  const html = renderToStaticMarkup(
    createElement(MantineProvider, null, createElement(MemoryRouter, null, list)),
  );
  expect(html.match(/aria-label="(Completed|To do)"/g)).toHaveLength(2);
  expect(html).toContain('1 of 2 steps done');
  expect(html).toContain('SMTP_URL is not set');
  expect(html).toContain('href="/health"');
  expect(html).not.toContain('href="/syncs"');
});
