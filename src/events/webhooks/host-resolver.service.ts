import { Resolver } from 'node:dns/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';

const DNS_TIMEOUT_MS = 2000;
const TOTAL_MS = 5000;

/** Resolves names of receivers with c-ares: `dns.lookup` would occupy the few threads that the whole process shares. */
@Injectable()
export class HostResolverService {
  /** All IPv4 and IPv6 addresses of the name; empty if it has none. Ends within 5 s. */
  async resolve(hostname: string): Promise<string[]> {
    const resolver = new Resolver({ timeout: DNS_TIMEOUT_MS, tries: 2 });
    const queries = Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const timer = new AbortController();
    const timeout = sleep(TOTAL_MS, undefined, { ref: false, signal: timer.signal })
      .then(() => resolver.cancel())
      .catch(() => undefined);
    const results = await queries;
    timer.abort();
    await timeout;
    return results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
  }
}
