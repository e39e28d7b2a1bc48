import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { barriersByScheme } from './portal.js';

const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';

/** In light and dark: a picture, no serious barrier, nothing that sticks out at the side. */
export async function looksRight(page: Page, name: string): Promise<void> {
  expect(await barriersByScheme(page, name)).toEqual([]);
  expect(await page.evaluate(overflow)).toBe(0);
}
