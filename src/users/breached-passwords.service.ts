import { createHash } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { request } from 'undici';
import { emit } from '../core/telemetry/telemetry-events.js';
import { Config } from '../core/config/config.js';
import { readBounded } from '../power-bi/upstream-body.js';

const TIMEOUT_MS = 1000;
/** A padded answer has about 40 kB. */
const MAX_BYTES = 256 * 1024;
const PREFIX = 5;

/**
 * Asks a list of stolen passwords, where one is configured: the range API of Pwned Passwords, or a mirror of it. It gets
 * five characters of a hash, which hundreds of passwords share, and answers with all that go on from there.
 */
@Injectable()
export class BreachedPasswordsService {
  private readonly logger = new Logger(BreachedPasswordsService.name);
  private readonly url?: string;

  constructor({ breachedPasswordsUrl }: Config) {
    this.url = breachedPasswordsUrl;
  }

  /** False as well when the list cannot be asked in time: nobody is kept out because of it. */
  async has(password: string): Promise<boolean> {
    if (this.url === undefined) return false;
    try {
      const isFound = await this.lookUp(this.url, password);
      emit('breach_looked_up', { outcome: isFound ? 'found' : 'not_found' });
      return isFound;
    } catch (error) {
      emit('breach_looked_up', { outcome: 'failed' });
      this.logger.warn({ msg: 'the list of breached passwords could not be asked', err: error });
      return false;
    }
  }

  private async lookUp(url: string, password: string): Promise<boolean> {
    const hash = createHash('sha1').update(password).digest('hex').toUpperCase();
    const { statusCode, body } = await request(`${url}/${hash.slice(0, PREFIX)}`, {
      // How long the answer is would otherwise tell whoever listens which one it was.
      headers: { 'Add-Padding': 'true', 'User-Agent': 'vitrine' },
      signal: AbortSignal.timeout(TIMEOUT_MS),
      reset: true,
    });
    const text = await readBounded(body, MAX_BYTES);
    if (statusCode !== 200) throw new Error(`It answered ${statusCode}`);
    const found = text.split(/\r?\n/).find((line) => line.startsWith(`${hash.slice(PREFIX)}:`));
    // Padding is counted 0 times.
    return Number(found?.split(':')[1] ?? 0) > 0;
  }
}
