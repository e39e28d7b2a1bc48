import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import axe, { type AxeResults } from 'axe-core';
import { type Browser, type BrowserContext, type Locator, type Page, type Route } from 'playwright-core';
import { HEADLESS_SHELL, launchChromium } from '../../support/chromium.js';
import { Started, temporaryDataDir } from '../../local/started.js';
import { atEndOfTest } from '../../support/end-of-test.js';
import { until } from '../../support/until.js';

/** The window sizes in which pages are tested. */
export const widths = { phone: { width: 360, height: 740 }, desktop: { width: 1280, height: 900 } };
export type Width = keyof typeof widths;

/** Longer than closing the browser takes. */
const BROWSER_CLOSE_MS = 20_000;

interface Person {
  email: string;
  password: string;
}

/** With TEST_SLOW every response is delayed by a random time, which reveals missing waits. */
async function delay(route: Route): Promise<void> {
  await sleep(100 + Math.random() * 1100);
  // The page may have been closed in the meantime.
  await route.continue().catch(() => undefined);
}

let prepared: Promise<string> | undefined;

/** A data folder after its first start, which takes twice as long as a later one. The files of a worker share it. */
async function prepare(): Promise<string> {
  const { dataDir } = temporaryDataDir();
  const started = await new Started(dataDir, { DEMO_DATA: 'false' }).ready();
  await started.signal('SIGTERM');
  // The databases of the copies do not wait for the disk.
  const settings = 'fsync = off\nsynchronous_commit = off\nfull_page_writes = off\n';
  appendFileSync(join(dataDir, 'postgres/data/postgresql.conf'), settings);
  return dataDir;
}

/** A new data folder, of a later start. */
async function preparedDataDir(): Promise<ReturnType<typeof temporaryDataDir>> {
  prepared ??= prepare();
  const copy = temporaryDataDir();
  // With the owners of the files: under root the database server is another user's.
  execFileSync('cp', ['-a', await prepared, copy.dataDir]);
  return copy;
}

/** The portal of a local start on new data, in Chromium. Errors of the pages are collected in `pageErrors`. */
export class Portal {
  readonly pageErrors: string[] = [];

  private constructor(
    readonly started: Started,
    private readonly browser: Browser,
    private readonly remove: () => Promise<void>,
  ) {}

  static async open(
    environment: Record<string, string> = {},
    executablePath = HEADLESS_SHELL,
  ): Promise<Portal> {
    // Only a first start adds demo data.
    const isFirst = environment.DEMO_DATA === 'true';
    const { dataDir, remove } = isFirst ? temporaryDataDir() : await preparedDataDir();
    const started = await new Started(dataDir, {
      RATE_LIMIT_SIGN_IN_PER_IP: '0',
      RATE_LIMIT_API_PER_MINUTE: '0',
      // Figures and lists contain only what a test does.
      DEMO_DATA: 'false',
      WEBHOOK_ALLOWED_HOSTS: '127.0.0.1',
      ...environment,
    }).ready();
    try {
      return new Portal(started, await launchChromium({ executablePath }), remove);
    } catch (error) {
      await started.signal('SIGTERM');
      throw error;
    }
  }

  get url(): string {
    return this.started.url;
  }

  get admin(): Person {
    return this.started.admin;
  }

  /** A new browser context, signed out. */
  async newContext(width: Width = 'desktop'): Promise<BrowserContext> {
    const context = await this.browser.newContext({ viewport: widths[width], reducedMotion: 'reduce' });
    // What an open page animates and requests again would slow down the following tests.
    atEndOfTest(() => context.close());
    return context;
  }

  /** A tab whose errors and policy violations are collected in `pageErrors`. */
  async tab(context: BrowserContext): Promise<Page> {
    const page = await context.newPage();
    if (process.env.TEST_SLOW !== undefined) await page.route(/\/(api|login)\//, delay);
    // Shorter than the limit of a test, so that its error names the awaited element.
    page.setDefaultTimeout(60_000);
    page.on('pageerror', ({ message }) => this.pageErrors.push(message));
    page.on('console', (message) => {
      if (/Content Security Policy|Unhandled|Warning:/i.test(message.text()))
        this.pageErrors.push(message.text());
    });
    return page;
  }

  /** A new browser context in which the person is signed in, without the form. No page of it is open. */
  async session(person: Person, width: Width = 'desktop'): Promise<BrowserContext> {
    const context = await this.newContext(width);
    const headers = { 'X-Vitrine-CSRF': '1', Origin: this.url };
    const response = await context.request.post(`${this.url}/login/session`, { headers, data: person });
    if (!response.ok()) throw new Error(`${person.email} could not sign in: ${await response.text()}`);
    return context;
  }

  /** A tab in which the person is signed in, without the form; `path` is open. */
  async as(person: Person, path = '/', width: Width = 'desktop'): Promise<Page> {
    const page = await this.tab(await this.session(person, width));
    await page.goto(`${this.url}${path}`);
    await page.getByRole('button', { name: 'Your account' }).waitFor();
    return page;
  }

  /** Signs in through the form, which `path` leads to first. */
  async signIn(page: Page, person: Person, path = '/'): Promise<Page> {
    await page.goto(`${this.url}${path}`);
    await page.getByLabel('Email').fill(person.email);
    await page.getByLabel(/^Password/).fill(person.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('button', { name: 'Your account' }).waitFor();
    return page;
  }

  async close(): Promise<void> {
    // Playwright waits for a paused browser for ever; it is killed when the worker exits.
    await Promise.race([this.browser.close(), sleep(BROWSER_CLOSE_MS, undefined, { ref: false })]);
    await this.started.signal('SIGTERM');
    await this.remove();
  }
}

/** Writes a screenshot to `.data/screenshots/`. */
export async function screenshot(page: Page, name: string): Promise<void> {
  const folder = '.data/screenshots';
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: `${folder}/${name}.png` });
}

/** The rule whose result depends on the colour scheme. */
const colourRules = ['color-contrast'];

/** The axe violations of these rules, or of all, of every impact. */
export async function accessibilityViolations(page: Page, rules?: string[]): Promise<string[]> {
  // Evaluated by the debugger, because the content policy of the page blocks scripts.
  if (await page.evaluate<boolean>('window.axe === undefined')) await page.evaluate(axe.source);
  const options = { resultTypes: ['violations'], ...(rules && { runOnly: { type: 'rule', values: rules } }) };
  // What is shown inside the frame of a report is Power BI's.
  const run = `axe.run({ exclude: ['iframe'] }, ${JSON.stringify(options)})`;
  const { violations } = await page.evaluate<AxeResults>(run);
  return violations.map(
    ({ id, help, nodes }) => `${id}: ${help} (${nodes.map(({ target }) => String(target)).join(', ')})`,
  );
}

/** Waits until the colour transitions of a scheme change have ended. */
export const waitForTransitions = `(async () => {
  for (let still = 0; still < 3; still += 1) {
    await new Promise(requestAnimationFrame);
    const fading = document.getAnimations().filter((each) => each instanceof CSSTransition);
    if (fading.length > 0) still = 0;
    await Promise.allSettled(fading.map(({ finished }) => finished));
  }
})()`;

/** All rules in light mode and the colour rules in dark mode, with a screenshot of each. */
export async function violationsByScheme(page: Page, name: string): Promise<string[]> {
  const violations: string[] = [];
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.evaluate(waitForTransitions);
    await screenshot(page, `${name}-${colorScheme}`);
    const found = await accessibilityViolations(page, colorScheme === 'dark' ? colourRules : undefined);
    violations.push(...found.map((violation) => `${colorScheme}: ${violation}`));
  }
  return violations;
}

/** The text of a picker, once it is loaded. */
export const chosenIn = (picker: Locator): Promise<string> =>
  until(async () => (await picker.inputValue()) || undefined);

/** Whether the page has no horizontal overflow. */
export const fitsWindow = (page: Page): Promise<boolean> =>
  page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth');
