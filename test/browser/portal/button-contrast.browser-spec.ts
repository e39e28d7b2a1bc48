import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { pathOfUser } from './admin.js';
import { asAdmin, member } from './people.js';
import { accessibilityViolations, Portal, waitForTransitions } from './portal.js';
import { createGroup } from './viewers.js';

let portal: Portal;
const paths = { user: '', disabled: '', group: '' };

beforeAll(async () => {
  portal = await Portal.open();
  await member(portal, 'active@example.com');
  await member(portal, 'disabled@example.com');
  paths.user = await pathOfUser(portal, 'active@example.com');
  paths.disabled = await pathOfUser(portal, 'disabled@example.com');
  await asAdmin(portal, 'PATCH', `/api${paths.disabled}`, { status: 'disabled' });
  paths.group = `/groups/${await createGroup(portal, 'Contrast')}`;
}, 120_000);
afterEach(() => expect(portal.pageErrors).toEqual([]));
afterAll(() => portal.close());

const button = (name: string) => (page: Page) => page.getByRole('button', { name, exact: true });

async function removePolicy(page: Page): Promise<Locator> {
  await page.getByRole('row', { name: /Set/ }).first().getByRole('link').first().click();
  return button('Remove policy')(page);
}

type Case = [name: string, path: () => string, find: (page: Page) => Locator | Promise<Locator>];

const buttons: Case[] = [
  ['subtle red', () => '/datasets', removePolicy],
  ['light red', () => paths.group, button('Delete')],
  ['outlined red', () => paths.disabled, button('Delete user permanently')],
  ['subtle gray', () => '/', button('Your account')],
  ['default', () => paths.user, button('Save')],
];

test.each(buttons)(
  'a %s button has a contrast of 4.5 under the pointer, in light and dark',
  async (_, path, find) => {
    const page = await portal.as(portal.admin, path());
    const target = await find(page);
    await page.waitForLoadState('networkidle');
    await target.hover();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.evaluate(waitForTransitions);
      const violations = await accessibilityViolations(page, ['color-contrast']);
      expect({ colorScheme, violations }).toEqual({ colorScheme, violations: [] });
    }
  },
);
