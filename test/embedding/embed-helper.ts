import type { Report } from '../../src/reports/report.entity.js';
import type { User } from '../../src/users/user.entity.js';
import { startPortalSite } from '../support/portal-site.js';
import { PowerBiPage } from '../support/powerbi-page.js';
import { startEmbedding } from './embedding.js';

const hour = 3600;

/** What the page keeps for its tests. */
interface Kept {
  heard: string[];
  Date: { now(): number };
}

/** A portal with the embed helper in its pages, and the service on another origin. */
export async function startHelperStage() {
  const portal = await startPortalSite();
  const world = await startEmbedding({ CORS_ORIGINS: portal.origin });
  const revenue = await world.report('Revenue overview');
  return {
    world,
    revenue,
    /** The life of tokens from now on; the Entra token at hand, which lives for the hour before, has to be gone. */
    tokensLive: async (seconds: number) => {
      await world.settings({ entra_token_seconds: seconds });
      await world.advance(hour);
    },
    /** A browser in which somebody new is signed in who may see the report. */
    visit: async () => {
      const user = await world.service.factory.user();
      await world.service.factory.grant(user, await world.workspace('Sales'));
      const signIn = async (): Promise<string> => (await world.service.as(user)).token ?? '';
      let token: Promise<string> | undefined;
      portal.leadTo(world.service.url, (refused) => (token = refused || !token ? signIn() : token));
      return Visit.begin({ origin: portal.origin, revenue, user });
    },
    close: async () => {
      await world.service.close();
      await portal.close();
    },
  };
}

export type HelperStage = Awaited<ReturnType<typeof startHelperStage>>;

interface Who {
  origin: string;
  revenue: Report;
  user: User;
}

export class Visit {
  /** Statuses of the answers that the page got from the service. */
  readonly answers: number[] = [];

  private constructor(
    readonly browser: PowerBiPage,
    private readonly who: Who,
  ) {
    browser.page.on('response', (response) => {
      const isOurs = response.url().endsWith('/embed-token') && response.request().method() === 'POST';
      if (isOurs) this.answers.push(response.status());
    });
  }

  static async begin(who: Who): Promise<Visit> {
    // As people's browsers have it; Playwright turns it off.
    const ignoreDefaultArgs = ['--disable-back-forward-cache'];
    return new Visit(await PowerBiPage.open({ ignoreDefaultArgs }), who);
  }

  get page() {
    return this.browser.page;
  }

  get user(): User {
    return this.who.user;
  }

  /** The page of the guide, whose viewer went on to the second page of the report. */
  async openReport(): Promise<void> {
    await this.page.goto(`${this.who.origin}/?report=${this.who.revenue.id}`);
    await this.page.waitForFunction(() => 'embedEvents' in globalThis);
    await this.browser.event('rendered');
    await this.browser.call('setPage', 'ReportSection1');
    await this.browser.event('pageChanged');
  }

  /** A page that keeps the token of the report so many times, and shows nothing. */
  async keepTokens(baseUrl: string, times = 1): Promise<void> {
    await this.page.goto(`${this.who.origin}/blank`);
    await this.page.addScriptTag({
      type: 'module',
      content: `import { embedTokens } from '/embed.js';
        const accessToken = async (refused) => (await fetch('/access-token?refused=' + refused)).text();
        const tokens = embedTokens({ baseUrl: '${baseUrl}', accessToken });
        globalThis.heard = [];
        for (let time = 0; time < ${times}; time += 1) {
          tokens.keep({
            reportId: '${this.who.revenue.id}',
            onToken: ({ token }) => heard.push(token),
            onExpired: () => heard.push('expired'),
          });
        }`,
    });
    await this.page.waitForFunction(
      (count) => (globalThis as unknown as Kept).heard?.length === count,
      times,
    );
  }

  /** The tokens that keepers were given, in turn, and ends of theirs. */
  heard(): Promise<string[]> {
    return this.page.evaluate(() => (globalThis as unknown as Kept).heard);
  }

  /** From now on the wall clock of the page differs by so many hours more. Its monotonic clock and timers do not notice. */
  async setClock(hours: number): Promise<void> {
    await this.page.evaluate(
      (ms) => {
        const { Date } = globalThis as unknown as Kept;
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

  pass(seconds: number): Promise<void> {
    return this.page.waitForTimeout(seconds * 1000);
  }

  close(): Promise<void> {
    return this.browser.close();
  }
}
