import type { Embed } from 'powerbi-client';
import type { PowerBiReport } from '../src/types.js';
import { settle } from './fake-environment.js';

/** The parts of a report of Microsoft's client that the package uses. */
export class FakeReport implements PowerBiReport {
  readonly element = new EventTarget();
  readonly receivedTokens: string[] = [];
  readonly config: { accessToken?: string };
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

  async raise(name: string, message?: string): Promise<void> {
    this.element.dispatchEvent(new CustomEvent(name, { detail: { message } }));
    await settle();
  }
}

/** Only type-checked: reports of Microsoft's client can be attached. */
export const fits = (embed: Embed): PowerBiReport => embed;
