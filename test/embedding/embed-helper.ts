import type { Report } from '../../src/reports/report.entity.js';
import type { User } from '../../src/users/user.entity.js';
import { startPortalSite } from '../support/portal-site.js';
import { PowerBiPage } from '../support/powerbi-page.js';
import { startEmbedding } from './embedding.js';

const hour = 3600;

/** The globals of the page that tests read. */
interface PageGlobals {
  received: string[];
  Date: { now(): number };
}

/** A portal whose pages use the embed helper, and the service on another origin. */
export async function startHelperFixture() {
  const portal = await startPortalSite();
  const embedding = await startEmbedding({ CORS_ORIGINS: portal.origin });
  const revenue = await embedding.report('Revenue overview');
  return {
    embedding,
    revenue,
    /** Sets the lifetime of new tokens; the current Entra token, valid for an hour, must expire first. */
    setTokenLifetime: async (seconds: number) => {
      await embedding.settings({ entra_token_seconds: seconds });
      await embedding.advance(hour);
    },
    /** A browser with a new user who can view the report. */
    session: async () => {
      const user = await embedding.service.factory.user();
      await embedding.service.factory.grant(user, await embedding.workspace('Sales'));
      const signIn = async (): Promise<string> => (await embedding.service.as(user)).token ?? '';
      let token: Promise<string> | undefined;
      portal.useService(embedding.service.url, (refused) => (token = refused || !token ? signIn() : token));
      return PageSession.open({ origin: portal.origin, revenue, user });
    },
    close: async () => {
      await embedding.service.close();
      await portal.close();
    },
  };
}

export type HelperFixture = Awaited<ReturnType<typeof startHelperFixture>>;

interface SessionOptions {
  origin: string;
  revenue: Report;
  user: User;
}

export class PageSession {
  /** Statuses of the embed token responses. */
  readonly statuses: number[] = [];

  private constructor(
    readonly browser: PowerBiPage,
    private readonly options: SessionOptions,
  ) {
    browser.page.on('response', (response) => {
      const isOurs = response.url().endsWith('/embed-token') && response.request().method() === 'POST';
      if (isOurs) this.statuses.push(response.status());
    });
  }

  static async open(options: SessionOptions): Promise<PageSession> {
    // Playwright disables the back/forward cache by default.
    const ignoreDefaultArgs = ['--disable-back-forward-cache'];
    return new PageSession(await PowerBiPage.open({ ignoreDefaultArgs }), options);
  }

  get page() {
    return this.browser.page;
  }

  get user(): User {
    return this.options.user;
  }

  /** An example page: of the guide, or `recipe`. */
  async open(path = ''): Promise<void> {
    await this.page.goto(`${this.options.origin}/${path}?report=${this.options.revenue.id}`);
    await this.page.waitForFunction(() => 'embedEvents' in globalThis);
    await this.browser.event('rendered');
  }

  /** The example page of the guide, on the second page of the report. */
  async openReport(): Promise<void> {
    await this.open();
    await this.browser.call('setPage', 'ReportSection1');
    await this.browser.event('pageChanged');
  }

  /** A page with the given number of subscriptions, without a report. */
  async subscribe(baseUrl: string, times = 1): Promise<void> {
    await this.page.goto(`${this.options.origin}/blank`);
    await this.page.addScriptTag({
      type: 'module',
      content: `import { embedTokens } from '/embed.js';
        const accessToken = async (refused) => (await fetch('/access-token?refused=' + refused)).text();
        const tokens = embedTokens({ baseUrl: '${baseUrl}', accessToken });
        globalThis.received = [];
        for (let time = 0; time < ${times}; time += 1) {
          tokens.keep({
            reportId: '${this.options.revenue.id}',
            onToken: ({ token }) => received.push(token),
            onExpired: () => received.push('expired'),
          });
        }`,
    });
    await this.page.waitForFunction(
      (count) => (globalThis as unknown as PageGlobals).received?.length === count,
      times,
    );
  }

  /** The tokens and expiries that the subscriptions received, in order; none while another page is still shown. */
  received(): Promise<string[]> {
    return this.page.evaluate(() => (globalThis as unknown as PageGlobals).received ?? []);
  }

  /** Shifts the wall clock of the page, but not its monotonic clock and timers. */
  async setClock(hours: number): Promise<void> {
    await this.page.evaluate(
      (ms) => {
        const { Date } = globalThis as unknown as PageGlobals;
        const now = Date.now.bind(Date);
        Date.now = () => now() + ms;
      },
      hours * hour * 1000,
    );
  }

  shownPage = (): Promise<string> => this.browser.text('nav [aria-current="page"]');
  notice = (): Promise<string> => this.page.locator('#notice').innerText();

  async countOf(event: string): Promise<number> {
    return (await this.browser.events()).filter(({ name }) => name === event).length;
  }

  wait(seconds: number): Promise<void> {
    return this.page.waitForTimeout(seconds * 1000);
  }

  close(): Promise<void> {
    return this.browser.close();
  }
}
