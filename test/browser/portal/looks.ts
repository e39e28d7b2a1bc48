import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { barriersIn, picture } from './portal.js';

const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';

/** In light and dark: a picture, no serious barrier, nothing that sticks out at the side. */
export async function looksRight(page: Page, name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await picture(page, `${name}-${colorScheme}`);
    expect(await barriersIn(page)).toEqual([]);
  }
  expect(await page.evaluate(overflow)).toBe(0);
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
}
