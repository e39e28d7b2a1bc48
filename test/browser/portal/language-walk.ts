import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { allPlaces, type Place } from './places.js';
import type { Portal } from './portal.js';

const router = readFileSync('packages/portal/src/router.tsx', 'utf8');
/** The patterns of all pages. */
const patterns = [...router.matchAll(/path: '([^'*]+)'/g)].map(([, path]) => `/${path}`);

/** Pages that are open without a session. */
export const entryPages = [
  '/sign-in',
  '/password-reset',
  '/password-reset#token=none',
  '/invitation#token=none',
];
/** It only leads on, after the sign-in at the organization. */
const withoutContent = ['/signed-in'];

/** Every page of an admin. Throws if the router has a page that is not among them. */
export async function everyPlace(portal: Portal): Promise<Place[]> {
  const places = await allPlaces(portal);
  const report = places.find(({ name }) => name === 'report')?.path ?? '';
  const others = {
    'access-requests': '/access-requests',
    help: '/help',
    branding: '/settings/branding',
    'analytics-reports': '/analytics/reports',
    'analytics-report': `/analytics${report}`,
    'analytics-unused': '/analytics/unused',
    'analytics-adoption': '/analytics/adoption',
    'not-found': '/nowhere',
  };
  const walk: Place[] = [
    ...places,
    ...Object.entries(others).map(([name, path]) => ({ name, path, isComplete: isLoaded })),
  ];
  const visited = [...walk.map(({ path }) => path), ...entryPages, ...withoutContent];
  const isVisited = (pattern: string): boolean => {
    const expression = new RegExp(`^${pattern.replaceAll(/:\w+/g, '[^/]+')}$`);
    return visited.some((path) => expression.test(path.replace(/[?#].*/, '')));
  };
  const missing = patterns.filter((pattern) => !isVisited(pattern));
  if (missing.length > 0) throw new Error(`Not visited: ${missing.join(', ')}`);
  return walk;
}

/** Waits until a page is complete, in any language. */
async function isLoaded(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor();
  await page.waitForLoadState('networkidle');
  await page.locator('.mantine-Skeleton-root, .mantine-Loader-root').first().waitFor({ state: 'detached' });
  await page.evaluate('document.fonts.ready');
}

/** Opens a page in any language, and waits until it is complete. */
export async function visit(page: Page, url: string): Promise<undefined> {
  await page.goto(url);
  await isLoaded(page);
  return undefined;
}

const isEnum = (text: string): boolean => /^[a-z]+(_[a-z]+)*$/.test(text);

function strings(value: unknown): string[] {
  if (typeof value === 'string') return isEnum(value) ? [] : [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(strings);
}

/** Collects the texts of the service's responses: names, addresses, messages. Enumerations are to be translated. */
export function collectData(page: Page): Set<string> {
  const data = new Set<string>();
  page.on('response', (response) => {
    if (!/\/(api|login)\//.test(response.url())) return;
    void response
      .json()
      .then((body) => strings(body).forEach((text) => data.add(text)))
      .catch(() => undefined);
  });
  return data;
}
