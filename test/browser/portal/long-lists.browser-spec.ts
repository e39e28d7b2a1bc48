import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Page, Route } from 'playwright-core';
import { until } from '../../support/until.js';
import { lastUser, ROWS, seedLongLists } from './long-lists.js';
import { Portal } from './portal.js';

/** Rows of a page in the portal, and of the largest page of the API. */
const [PAGE, LARGE_PAGE] = [50, 1000];

let portal: Portal;
const paths = { workspace: '', group: '', viewers: '', review: '' };

beforeAll(async () => {
  portal = await Portal.open();
  const { workspace, group, report } = await seedLongLists(portal);
  paths.workspace = `/workspaces/${workspace}`;
  paths.group = `/groups/${group}`;
  paths.viewers = `/reports/${report}/access`;
  paths.review = `/access-review?workspace=${workspace}`;
}, 120_000);
afterEach(() => expect(portal.pageErrors).toEqual([]));
afterAll(() => portal.close());

/** Counts the times and numbers that the page formats: every row with one formats it when it renders. */
const countFormats = `(() => {
  const count = () => { window.formats = (window.formats ?? 0) + 1; };
  const relative = Intl.RelativeTimeFormat.prototype.format;
  Intl.RelativeTimeFormat.prototype.format = function (...given) { count(); return relative.apply(this, given); };
  for (const { prototype } of [Intl.DateTimeFormat, Intl.NumberFormat]) {
    const format = Object.getOwnPropertyDescriptor(prototype, 'format');
    Object.defineProperty(prototype, 'format', {
      ...format,
      get() { count(); return format.get.call(this); },
    });
  }
})()`;

const formats = (page: Page): Promise<number> => page.evaluate<number>('window.formats ?? 0');

/** Requests pages of the size that the returned function sets. */
async function sizedPages(page: Page, api: RegExp): Promise<(size: number) => void> {
  let limit = PAGE;
  await page.route(api, (route: Route) =>
    route.continue({
      url: route
        .request()
        .url()
        .replace(/limit=\d+/, `limit=${limit}`),
    }),
  );
  return (size) => {
    limit = size;
  };
}

// By CSS: a search by role looks at every element of the page.
const moreButton = (page: Page) => page.locator('button', { hasText: 'Show more' });
const count = (page: Page) => page.locator('[role=status]', { hasText: /^Showing / });
/** A busy machine renders 1,000 rows, which the portal itself never requests at once, in more than 20 s. */
const shown = (page: Page, rowCount: number) =>
  count(page)
    .filter({ hasText: new RegExp(`^Showing ${rowCount.toLocaleString('en')}( of |$)`) })
    .waitFor({ timeout: 120_000 });

/** Clicks by the keyboard: the button is far outside the window. */
async function append(page: Page, before: number, size: number): Promise<number> {
  await moreButton(page).press('Enter');
  await shown(page, before + size);
  return before + size;
}

const inWindow = `(() => {
  const { top, bottom } = getSelection().getRangeAt(0).getBoundingClientRect();
  return top >= 0 && bottom <= innerHeight && bottom > top;
})()`;

interface Long {
  name: string;
  path: () => string;
  api: RegExp;
  /** In the last row, to which the list is read; otherwise the first 1,000 rows are loaded. */
  last?: string;
  /** All rows, in the text below the list. */
  total?: RegExp;
  /** Whether rows contain a time or a number. */
  isFormatted?: boolean;
}

/** Scrolls to the end by the keyboard, and finds the text as the browser's search does. */
async function findAtEnd(page: Page, text: string): Promise<void> {
  // The page grows while its rows are drawn.
  await until(async () => {
    await page.keyboard.press('End');
    return page.evaluate<boolean>(
      'scrollY > 0 && scrollY + innerHeight >= document.documentElement.scrollHeight - 2',
    );
  });
  // The search of the browser starts at the selection.
  await page.evaluate('getSelection().removeAllRanges(); scrollTo(0, 0)');
  expect(await page.evaluate<boolean>(`find(${JSON.stringify(text)}, false, true)`)).toBe(true);
  await until(() => page.evaluate<boolean>(inWindow));
}

const lists: Long[] = [
  {
    name: 'users',
    path: () => '/users',
    api: /\/api\/users\?/,
    last: 'user-10000@example.com',
  },
  {
    name: 'reports',
    path: () => '/reports',
    api: /\/api\/reports\?/,
    last: 'Zulu 10000',
  },
  {
    name: 'workspaces',
    path: () => '/workspaces',
    api: /\/api\/workspaces\?/,
    last: 'Zeta 10000',
  },
  {
    name: 'groups',
    path: () => '/groups',
    api: /\/api\/groups\?/,
    last: 'Zone 10000',
  },
  {
    name: 'viewers of a report',
    path: () => paths.viewers,
    api: /\/api\/reports\/[^/]+\/viewers\?/,
    last: 'user-10000@example.com',
    isFormatted: false,
  },
  {
    name: 'invitations',
    path: () => '/invitations',
    api: /\/api\/invitations\?/,
  },
  {
    name: 'audit events',
    path: () => '/audit?ip=192.0.2.1',
    api: /\/api\/audit-events\?/,
  },
  {
    name: 'reports of a workspace',
    path: () => paths.workspace,
    api: /\/api\/reports\?/,
    total: / of 10,0\d\d$/,
  },
  {
    name: 'members of a workspace',
    path: () => `${paths.workspace}?tab=access`,
    api: /\/api\/workspaces\/[^/]+\/grants\?/,
  },
  {
    name: 'members of a group',
    path: () => `${paths.group}?view=effective`,
    api: /\/api\/groups\/[^/]+\/members\?/,
    total: / of 10,000$/,
    isFormatted: false,
  },
];

test.each(lists)(
  '10,000 $name: a further page renders only its rows',
  async (list) => {
    const page = await portal.as(portal.admin);
    await page.addInitScript(countFormats);
    const setSize = await sizedPages(page, list.api);
    await page.goto(`${portal.url}${list.path()}`);
    await shown(page, PAGE);
    const ofOnePage = await formats(page);
    expect(ofOnePage).toBeGreaterThanOrEqual(list.isFormatted === false ? 0 : PAGE);

    setSize(LARGE_PAGE);
    let loaded = PAGE;
    const most = list.last !== undefined ? ROWS - LARGE_PAGE : LARGE_PAGE;
    while (loaded < most) loaded = await append(page, loaded, LARGE_PAGE);
    setSize(PAGE);
    const before = await formats(page);
    await append(page, loaded, PAGE);
    expect((await formats(page)) - before).toBeLessThanOrEqual(2 * ofOnePage);
    if (list.total !== undefined) await count(page).filter({ hasText: list.total }).waitFor();

    if (list.last === undefined) return;
    setSize(LARGE_PAGE);
    await moreButton(page).press('Enter');
    await moreButton(page).waitFor({ state: 'detached' });
    await findAtEnd(page, list.last);
  },
  300_000,
);

/** Rows of the review in the portal; the export contains all. */
const REVIEWED = 5000;

test('the access review is read to the last of 5,000 rows; a filter finds the last of the others', async () => {
  const page = await portal.as(portal.admin, paths.review);
  await page.getByText(/^Search and order apply to the first 5,000 rows\./).waitFor();
  await page.getByText('5,000 rows', { exact: true }).waitFor();
  const drawn = page.locator('tbody tr');
  let before = await drawn.count();
  while (before < REVIEWED) {
    await moreButton(page).press('Enter');
    before = await until(async () => {
      const now = await drawn.count();
      return now > before && now;
    });
  }
  expect(await drawn.count()).toBe(REVIEWED);
  expect(await moreButton(page).count()).toBe(0);
  // Before the users who were seeded are the administrator and the users of the demo.
  const last = await drawn.last().innerText();
  expect(last).toMatch(/^Zoe 0(?:49\d\d|5000)/);
  await findAtEnd(page, last.slice(0, 'Zoe 00000'.length));

  await page.goto(`${portal.url}${paths.review}&user=${lastUser.id}`);
  await drawn.filter({ hasText: lastUser.name }).waitFor();
  await page.getByText('1 row', { exact: true }).waitFor();
}, 300_000);

test.each([
  ['/users', 'Showing 50 of 1,000+'],
  ['/invitations', 'Showing 50 of 1,000+'],
  ['/reports', 'Showing 50 of 1,000+'],
  ['/reports', 'More than 1,000 reports'],
  ['workspace', 'Showing 50 of 1,000+'],
])('%s shows a bounded total: %s', async (path, text) => {
  const address = path === 'workspace' ? `${paths.workspace}?tab=access` : path;
  const page = await portal.as(portal.admin, address);
  await page.getByText(text, { exact: true }).waitFor();
});

test('a page that is limited is loaded again below the rows, not before the wait has ended', async () => {
  const page = await portal.as(portal.admin, '/users');
  await shown(page, PAGE);
  let requests = 0;
  await page.route(/\/api\/users\?.*cursor=/, async (route) => {
    requests += 1;
    if (requests > 1) return route.continue();
    return route.fulfill({
      status: 429,
      headers: { 'Retry-After': '7' },
      contentType: 'application/problem+json',
      body: JSON.stringify({ code: 'rate_limited', status: 429, title: '', detail: '', request_id: 'r' }),
    });
  });
  await moreButton(page).press('Enter');
  const alert = page.getByRole('alert');
  const retry = alert.getByRole('button', { name: 'Try again' });
  await retry.waitFor();
  expect(await alert.count()).toBe(1);
  expect(await retry.isDisabled()).toBe(true);
  expect(await moreButton(page).count()).toBe(0);
  const table = await page.getByRole('table').boundingBox();
  const below = await alert.boundingBox();
  expect(below?.y).toBeGreaterThan((table?.y ?? 0) + (table?.height ?? 0) - 1);
  await alert.getByText('You can try again now.').waitFor();
  await retry.click();
  await shown(page, 2 * PAGE);
  expect(requests).toBe(2);
});
