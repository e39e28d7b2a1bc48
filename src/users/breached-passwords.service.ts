import { createHash } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { request } from 'undici';
import { emit } from '../core/telemetry/telemetry-events.js';
import { Config } from '../core/config/config.js';
import { readBounded } from '../power-bi/upstream-body.js';

const TIMEOUT_MS = 1000;
/** A padded response has about 40 kB. */
const MAX_BYTES = 256 * 1024;
const PREFIX = 5;

/**
 * Queries a list of breached passwords, if configured: the range API of Pwned Passwords or a mirror. It receives the
 * first five characters of a SHA-1 hash, which hundreds of passwords share, and returns all suffixes (k-anonymity).
 */
@Injectable()
export class BreachedPasswordsService {
  private readonly logger = new Logger(BreachedPasswordsService.name);
  private readonly url?: string;

  constructor({ breachedPasswordsUrl }: Config) {
    this.url = breachedPasswordsUrl;
  }

  /** Fails open: false when the list is unavailable, so that an outage blocks no user. */
  async has(password: string): Promise<boolean> {
    if (this.url === undefined) return false;
    try {
      const isFound = await this.lookUp(this.url, password);
      emit('breach_looked_up', { outcome: isFound ? 'found' : 'not_found' });
      return isFound;
    } catch (error) {
      emit('breach_looked_up', { outcome: 'failed' });
      this.logger.warn({ msg: 'the breached-password list is not available', err: error });
      return false;
    }
  }

  private async lookUp(url: string, password: string): Promise<boolean> {
    const hash = createHash('sha1').update(password).digest('hex').toUpperCase();
    const { statusCode, body } = await request(`${url}/${hash.slice(0, PREFIX)}`, {
      // Without padding, the response length would reveal the requested prefix to a network observer.
      headers: { 'Add-Padding': 'true', 'User-Agent': 'vitrine' },
      signal: AbortSignal.timeout(TIMEOUT_MS),
      reset: true,
    });
    const text = await readBounded(body, MAX_BYTES);
    if (statusCode !== 200) throw new Error(`The breached-password list returned status ${statusCode}`);
    const found = text.split(/\r?\n/).find((line) => line.startsWith(`${hash.slice(PREFIX)}:`));
    // Padding entries have a count of 0.
    return Number(found?.split(':')[1] ?? 0) > 0;
  }
}
