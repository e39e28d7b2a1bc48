import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { violationsByScheme } from './portal.js';

const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';

/** In light and dark mode: no accessibility violation and no horizontal overflow, with screenshots. */
export async function expectLayout(page: Page, name: string): Promise<void> {
  expect(await violationsByScheme(page, name)).toEqual([]);
  expect(await page.evaluate(overflow)).toBe(0);
}
