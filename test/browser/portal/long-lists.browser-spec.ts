import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Page, Route } from 'playwright-core';
import { inDatabase } from '../../local/owner-database.js';
import { until } from '../../support/until.js';
import { Portal } from './portal.js';
import { createGroup, idOf } from './viewers.js';

const ROWS = 10_000;
/** Rows of a page in the portal, and of the largest page of the API. */
const [PAGE, LARGE_PAGE] = [50, 1000];

let portal: Portal;
const paths = { workspace: '', group: '' };

const numbered = (prefix: string): string => `'${prefix} ' || lpad(n::text, 5, '0')`;
const rows = `generate_series(1, ${ROWS}) n`;

/** As the service writes them; `$1` and `$2` are the ids of the workspace and of the group. */
const seeds = [
  `INSERT INTO users (id, email, name, role, status, created_at, last_sign_in_at)
   SELECT gen_random_uuid(), 'user-' || lpad(n::text, 5, '0') || '@example.com', ${numbered('Zoe')}, 'member', 'active', now(),
     now() - interval '3 hours' FROM ${rows}`,
  `INSERT INTO grants (user_id, workspace_id, source, role, expires_at, created_at)
   SELECT id, $1, 'manual', 'viewer', now() + interval '20 days', now() FROM users WHERE email LIKE 'user-%'`,
  `INSERT INTO group_edges (group_id, user_id, source, created_at)
   SELECT $1, id, 'manual', now() FROM users WHERE email LIKE 'user-%'`,
  `INSERT INTO reports (id, workspace_id, pbi_report_id, name, report_type, embed_url, data_as_of, updated_at)
   SELECT gen_random_uuid(), $1, gen_random_uuid(), ${numbered('Zulu')}, 'PowerBIReport', 'https://127.0.0.1/', now(), now()
   FROM ${rows}`,
  `UPDATE workspaces SET report_count = (SELECT count(*) FROM reports WHERE workspace_id = $1) WHERE id = $1`,
  `INSERT INTO invitations (id, email, role, secret_salt, secret_hash, invited_by, delivery, mailed_at, created_at, expires_at)
   SELECT gen_random_uuid(), 'zed-' || lpad(n::text, 5, '0') || '@example.com', 'member', '\\x00', decode(md5(n::text), 'hex'),
     (SELECT id FROM users WHERE role = 'admin' LIMIT 1), 'sent', now(), now() - n * interval '1 second', now() + interval '5 days'
   FROM ${rows}`,
  `INSERT INTO audit_events (id, at, action, outcome, ip)
   SELECT gen_random_uuid(), now() - interval '1 hour' - n * interval '1 second', 'signed_in', 'denied', '192.0.2.1' FROM ${rows}`,
];

beforeAll(async () => {
  portal = await Portal.open();
  const workspace = await idOf(portal, 'workspaces', 'Sales');
  const group = await createGroup(portal, 'Everyone');
  paths.workspace = `/workspaces/${workspace}`;
  paths.group = `/groups/${group}`;
  await inDatabase(portal.started.dataDir, async (query) => {
    for (const sql of seeds) {
      const values = sql.includes('$1') ? [sql.includes('group_') ? group : workspace] : [];
      await query(sql, values);
    }
  });
}, 120_000);
afterEach(() => expect(portal.pageErrors).toEqual([]));
afterAll(() => portal.close());

/** Counts the dates that the page formats: every row with a time formats it when it renders. */
const countFormats = `(() => {
  const count = () => { window.formats = (window.formats ?? 0) + 1; };
  const relative = Intl.RelativeTimeFormat.prototype.format;
  Intl.RelativeTimeFormat.prototype.format = function (...given) { count(); return relative.apply(this, given); };
  const date = Object.getOwnPropertyDescriptor(Intl.DateTimeFormat.prototype, 'format');
  Object.defineProperty(Intl.DateTimeFormat.prototype, 'format', {
    ...date,
    get() { count(); return date.get.call(this); },
  });
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
  /** Whether rows contain a time. */
  hasTimes?: boolean;
}

/** Loads the rest, scrolls to the end by the keyboard, and finds the last row as the browser's search does. */
async function reachLast(page: Page, last: string, setSize: (size: number) => void): Promise<void> {
  setSize(LARGE_PAGE);
  await moreButton(page).press('Enter');
  await moreButton(page).waitFor({ state: 'detached' });
  // The page grows while its rows are drawn.
  await until(async () => {
    await page.keyboard.press('End');
    return page.evaluate<boolean>(
      'scrollY > 0 && scrollY + innerHeight >= document.documentElement.scrollHeight - 2',
    );
  });
  // The search of the browser starts at the selection.
  await page.evaluate('getSelection().removeAllRanges(); scrollTo(0, 0)');
  expect(await page.evaluate<boolean>(`find(${JSON.stringify(last)}, false, true)`)).toBe(true);
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
    hasTimes: false,
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
    expect(ofOnePage).toBeGreaterThanOrEqual(list.hasTimes === false ? 0 : PAGE);

    setSize(LARGE_PAGE);
    let loaded = PAGE;
    const most = list.last !== undefined ? ROWS - LARGE_PAGE : LARGE_PAGE;
    while (loaded < most) loaded = await append(page, loaded, LARGE_PAGE);
    setSize(PAGE);
    const before = await formats(page);
    await append(page, loaded, PAGE);
    expect((await formats(page)) - before).toBeLessThanOrEqual(2 * ofOnePage);
    if (list.total !== undefined) await count(page).filter({ hasText: list.total }).waitFor();

    if (list.last !== undefined) await reachLast(page, list.last, setSize);
  },
  300_000,
);

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
