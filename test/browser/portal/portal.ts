import { mkdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import axe, { type AxeResults } from 'axe-core';
import {
  type Browser,
  type BrowserContext,
  chromium,
  type Locator,
  type Page,
  type Route,
} from 'playwright-core';
import { Started, temporaryDataDir } from '../../local/started.js';
import { until } from '../../support/until.js';

/** The widths that every page is looked at in. */
export const widths = { phone: { width: 360, height: 740 }, desktop: { width: 1280, height: 900 } };
export type Width = keyof typeof widths;

interface Person {
  email: string;
  password: string;
}

/** With TEST_SLOW every answer takes a while, another one each time: what a page or a test does too soon shows. */
async function late(route: Route): Promise<void> {
  await sleep(100 + Math.random() * 1100);
  // The page may have gone on meanwhile.
  await route.continue().catch(() => undefined);
}

/** The portal of a fresh local start, in Chromium. Whatever the page complains about is kept in `troubles`. */
export class Portal {
  readonly troubles: string[] = [];

  private constructor(
    readonly started: Started,
    private readonly browser: Browser,
    private readonly remove: () => void,
  ) {}

  static async open(environment: Record<string, string> = {}): Promise<Portal> {
    const { dataDir, remove } = temporaryDataDir();
    const started = await new Started(dataDir, {
      RATE_LIMIT_SIGN_IN_PER_IP: '0',
      RATE_LIMIT_API_PER_MINUTE: '0',
      ...environment,
    }).ready();
    const browser = await chromium.launch({
      executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
      args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking'],
    });
    return new Portal(started, browser, remove);
  }

  get url(): string {
    return this.started.url;
  }

  get admin(): Person {
    return this.started.admin;
  }

  /** A browser profile of its own: nobody is signed in there. */
  visitor(width: Width = 'desktop'): Promise<BrowserContext> {
    return this.browser.newContext({ viewport: widths[width], reducedMotion: 'reduce' });
  }

  /** A tab whose errors and breaches of the content policy are `troubles`. */
  async tab(context: BrowserContext): Promise<Page> {
    const page = await context.newPage();
    if (process.env.TEST_SLOW !== undefined) await page.route(/\/(api|login)\//, late);
    // Below a test's own, so that it is told what was waited for.
    page.setDefaultTimeout(20_000);
    page.on('pageerror', ({ message }) => this.troubles.push(message));
    page.on('console', (message) => {
      if (/Content Security Policy|Unhandled|Warning:/i.test(message.text()))
        this.troubles.push(message.text());
    });
    return page;
  }

  /** A tab in which the person is signed in, without the form; `path` is open. */
  async as(person: Person, path = '/', width: Width = 'desktop'): Promise<Page> {
    const context = await this.visitor(width);
    const headers = { 'X-Vitrine-CSRF': '1', Origin: this.url };
    const answer = await context.request.post(`${this.url}/login/session`, { headers, data: person });
    if (!answer.ok()) throw new Error(`${person.email} did not get in: ${await answer.text()}`);
    const page = await this.tab(context);
    await page.goto(`${this.url}${path}`);
    await page.getByRole('button', { name: 'Your account' }).waitFor();
    return page;
  }

  /** Signs in through the form, which `path` leads to first. */
  async signIn(page: Page, person: Person, path = '/'): Promise<Page> {
    await page.goto(`${this.url}${path}`);
    await page.getByLabel('E-mail').fill(person.email);
    await page.getByLabel(/^Password/).fill(person.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('button', { name: 'Your account' }).waitFor();
    return page;
  }

  async close(): Promise<void> {
    await this.browser.close();
    await this.started.signal('SIGTERM');
    this.remove();
  }
}

/** Keeps what the page looks like in `docs/images/` when SCREENSHOTS is set, else where nobody sees it. */
export async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS === undefined ? '.data/screenshots' : 'docs/images';
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: `${folder}/${name}.png` });
}

/** The one rule that a page can break in one scheme and keep in the other. */
const ofColours = ['color-contrast'];

/** What axe finds serious or critical, a line each; of these rules, or of all. */
export async function barriersIn(page: Page, rules?: string[]): Promise<string[]> {
  // Evaluated by the debugger: the page's own policy lets no script in.
  if (await page.evaluate<boolean>('window.axe === undefined')) await page.evaluate(axe.source);
  const options = { resultTypes: ['violations'], ...(rules && { runOnly: { type: 'rule', values: rules } }) };
  // What is shown inside the frame of a report is Power BI's.
  const run = `axe.run({ exclude: ['iframe'] }, ${JSON.stringify(options)})`;
  const { violations } = await page.evaluate<AxeResults>(run);
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, help, nodes }) => `${id}: ${help} (${nodes.map(({ target }) => String(target)).join(', ')})`);
}

/** Colours fade into those of the other scheme, some a frame later than others: between the two they are neither. */
const faded = `(async () => {
  for (let still = 0; still < 3; still += 1) {
    await new Promise(requestAnimationFrame);
    const fading = document.getAnimations().filter((each) => each instanceof CSSTransition);
    if (fading.length > 0) still = 0;
    await Promise.allSettled(fading.map(({ finished }) => finished));
  }
})()`;

/** In light all of them, in dark those of colours, with a picture of each. */
export async function barriersByScheme(page: Page, name: string): Promise<string[]> {
  const barriers: string[] = [];
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.evaluate(faded);
    await picture(page, `${name}-${colorScheme}`);
    const found = await barriersIn(page, colorScheme === 'dark' ? ofColours : undefined);
    barriers.push(...found.map((barrier) => `${colorScheme}: ${barrier}`));
  }
  return barriers;
}

/** What a picker shows, once the name of what is chosen is there. */
export const chosenIn = (picker: Locator): Promise<string> =>
  until(async () => (await picker.inputValue()) || undefined);

/** Whether nothing of the page is beside the window. */
export const isWithin = (page: Page): Promise<boolean> =>
  page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth');
