import type { Embed } from 'powerbi-client';
import type { PowerBiReport } from '../src/types.js';
import { settled } from './fake-environment.js';

/** What Microsoft's client does with a report, as far as it matters here. */
export class FakeReport implements PowerBiReport {
  readonly element = new EventTarget();
  readonly given: string[] = [];
  readonly config: { accessToken?: string };
  reloads = 0;
  isThere = true;

  constructor(accessToken: string) {
    this.config = { accessToken };
  }

  async setAccessToken(token: string): Promise<void> {
    if (!this.isThere) throw new TypeError('contentWindow is null');
    this.given.push(token);
    this.config.accessToken = token;
    await Promise.resolve();
  }

  async reload(): Promise<void> {
    this.reloads += 1;
    await Promise.resolve();
  }

  async raise(name: string, message?: string): Promise<void> {
    this.element.dispatchEvent(new CustomEvent(name, { detail: { message } }));
    await settled();
  }
}

/** Compiled only: what Microsoft's clients hand out can be attached. */
export const fits = (embed: Embed): PowerBiReport => embed;
