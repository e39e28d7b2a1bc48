import type { Embed } from 'powerbi-client';
import type { PowerBiReport } from '../src/types.js';
import { settle } from './fake-environment.js';

/** The parts of a report of Microsoft's client that the package uses. */
export class FakeReport implements PowerBiReport {
  readonly element = new EventTarget();
  readonly receivedTokens: string[] = [];
  readonly config: { accessToken?: string };
  readonly iframe = { isConnected: true };
  reloads = 0;
  isAttached = true;

  constructor(accessToken: string) {
    this.config = { accessToken };
  }

  async setAccessToken(token: string): Promise<void> {
    if (!this.isAttached) throw new TypeError('contentWindow is null');
    this.receivedTokens.push(token);
    this.config.accessToken = token;
    await Promise.resolve();
  }

  async reload(): Promise<void> {
    this.reloads += 1;
    await Promise.resolve();
  }

  getActivePage(): Promise<{ name: string; displayName: string }> {
    return Promise.resolve({ name: 'Overview', displayName: 'Page Overview' });
  }

  raise(name: string, message?: string): Promise<void> {
    return this.raiseWith(name, { message });
  }

  showPage(name: string): Promise<void> {
    return this.raiseWith('pageChanged', { newPage: { name, displayName: `Page ${name}` } });
  }

  private async raiseWith(name: string, detail: object): Promise<void> {
    this.element.dispatchEvent(new CustomEvent(name, { detail }));
    await settle();
  }
}

/** Only type-checked: reports of Microsoft's client can be attached. */
export const fits = (embed: Embed): PowerBiReport => embed;
