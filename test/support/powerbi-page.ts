import { createRequire } from 'node:module';
import { type Browser, type LaunchOptions, type Page } from 'playwright-core';
import { launchChromium } from './chromium.js';

/** The configuration of the official client. */
export interface EmbedConfig {
  id: string;
  embedUrl: string;
  accessToken: string;
  type?: 'report' | 'dashboard' | 'tile';
  /** Of a tile. */
  dashboardId?: string;
  tokenType?: number;
  pageName?: string;
}

export interface EmbedEvent {
  name: string;
  detail: unknown;
}

/** A browser page with Microsoft's powerbi-client and one report. */
export class PowerBiPage {
  private constructor(
    readonly page: Page,
    private readonly browser: Browser,
  ) {}

  static async open(options: LaunchOptions = {}): Promise<PowerBiPage> {
    const browser = await launchChromium(options);
    const page = await browser.newPage({ viewport: { width: 1280, height: 760 } });
    await page.setContent('<div id="report" style="height: 720px"></div>');
    await page.addScriptTag({
      path: createRequire(import.meta.url).resolve('powerbi-client/dist/powerbi.js'),
    });
    return new PowerBiPage(page, browser);
  }

  /**
   * Embeds as `powerbi.embed` does, but creates the iframe: the client refuses to create one
   * for hosts other than Microsoft's. Earlier frames are removed.
   */
  async embed(config: EmbedConfig): Promise<void> {
    await this.page.evaluate(embedInOwnFrame, { type: 'report' as const, tokenType: 1, ...config });
  }

  /** Embeds by `powerbi.embed`, with Microsoft's embed host routed to the emulator. */
  async embedByRoute(config: EmbedConfig, emulatorUrl: string): Promise<void> {
    const { origin } = new URL(config.embedUrl);
    await this.page.route(`${origin}/**`, async (route) => {
      const url = route.request().url().replace(origin, emulatorUrl);
      await route.fulfill({ response: await route.fetch({ url }) });
    });
    await this.page.evaluate(embedByClient, { type: 'report' as const, tokenType: 1, ...config });
  }

  events(): Promise<EmbedEvent[]> {
    return this.page.evaluate(() => (globalThis as unknown as Embedding).embedEvents);
  }

  /** The first event of that name since the report was embedded. */
  async event(name: string): Promise<EmbedEvent> {
    const found = await this.page.waitForFunction(
      (wanted) => (globalThis as unknown as Embedding).embedEvents.find((event) => event.name === wanted),
      name,
      { timeout: 60_000 },
    );
    return (await found.jsonValue())!;
  }

  /** Calls a method of the client's `Report`, e.g. `call('setAccessToken', token)`. */
  call(method: string, ...parameters: unknown[]): Promise<unknown> {
    return this.page.evaluate(
      ([method, parameters]) => {
        const { report } = globalThis as unknown as Embedding;
        return report[method]!(...parameters);
      },
      [method, parameters] as const,
    );
  }

  /** The text that the report shows. */
  async text(selector = 'body'): Promise<string> {
    return this.page.frameLocator('iframe').locator(selector).innerText();
  }

  close(): Promise<void> {
    return this.browser.close();
  }
}

/** Globals of the embedding page. */
interface Embedding {
  embedEvents: EmbedEvent[];
  report: Record<string, (...parameters: unknown[]) => Promise<unknown>>;
}

/** The DOM types used below; tests are compiled without the DOM library. */
interface PortalWindow extends Embedding {
  document: {
    getElementById(id: string): PortalElement;
    createElement(tag: string): PortalElement;
  };
  powerbi: {
    reset(element: PortalElement): void;
    embed(element: PortalElement, config: EmbedConfig): ClientReport;
    addOrOverwriteEmbed(report: object, element: object): void;
  };
  'powerbi-client': { Report: new (...parameters: unknown[]) => ClientReport };
}

type ClientReport = Embedding['report'] & {
  on(name: string, handler: (event: { detail: unknown }) => void): void;
};

interface PortalElement {
  style: string;
  src: string;
  powerBiEmbed: object;
  replaceChildren(): void;
  append(child: PortalElement): void;
}

/** Both run in the browser and must not use anything outside their body. */
export function embedInOwnFrame(config: EmbedConfig): void {
  const window = globalThis as unknown as PortalWindow;
  const element = window.document.getElementById('report');
  const names = ['loaded', 'rendered', 'error', 'pageChanged', 'saved', 'filtersApplied', 'bookmarkApplied'];
  window.powerbi.reset(element);
  element.replaceChildren();
  window.embedEvents = [];
  const uniqueId = `u${Date.now()}`;
  const frame = window.document.createElement('iframe');
  frame.style = 'width: 100%; height: 100%; border: 0';
  frame.src = `${config.embedUrl}&uid=${uniqueId}`;
  element.append(frame);
  const { Report } = window['powerbi-client'];
  const report = new Report(window.powerbi, element, { ...config, uniqueId }, false, false, frame);
  element.powerBiEmbed = report;
  window.powerbi.addOrOverwriteEmbed(report, element);
  window.report = report;
  for (const name of names) {
    report.on(name, ({ detail }) => {
      // The detail of `pageChanged` is a client object that contains the whole report.
      window.embedEvents.push({ name, detail: name === 'pageChanged' ? null : detail });
    });
  }
}

function embedByClient(config: EmbedConfig): void {
  const window = globalThis as unknown as PortalWindow;
  const element = window.document.getElementById('report');
  window.powerbi.reset(element);
  window.embedEvents = [];
  const report = window.powerbi.embed(element, config);
  window.report = report;
  const names = { report: ['rendered'], dashboard: ['tileClicked'], tile: ['tileClicked', 'tileLoaded'] };
  for (const name of ['loaded', 'error', ...names[config.type ?? 'report']]) {
    report.on(name, ({ detail }) => window.embedEvents.push({ name, detail }));
  }
}
