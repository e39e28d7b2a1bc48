import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from '@vitrine/power-bi-emulator';
import type { Entry } from '../load/history.js';
import type { Context, Scenario } from '../scenario.js';

const rest = '^/v1\\.0/';
const notEmbed = ({ op }: Entry): boolean => op !== 'embed';
const othersSucceed = { share: 0.999, of: notEmbed };

const withFault =
  (fault: Fault, seconds = 8) =>
  async ({ cluster }: Context): Promise<void> => {
    await cluster.emulator.fault(fault);
    await sleep(seconds * 1000);
    await cluster.emulator.clearFaults();
  };

const withToxics =
  (toxics: object, seconds = 8) =>
  async ({ cluster }: Context): Promise<void> => {
    cluster.proxies.upstream.resetAll();
    cluster.proxies.upstream.toxics = toxics;
    await sleep(seconds * 1000);
    await cluster.proxies.upstream.up();
  };

const mix = { list: 25, read: 25, me: 10, embed: 30, refresh: 5, rename: 2, invite: 2, hostile: 1 };

/** An open circuit breaker sends its next call after 10 s at the earliest. */
const common = { rate: 15, seconds: 44, at: 4, mix, success: othersSucceed, recovery: 25 } as const;

/** Faults of Power BI and Entra. */
export const ofUpstream: Scenario[] = [
  {
    ...common,
    id: 'F16',
    title: 'Power BI returns 500 for every call',
    fault: withFault({ path: rest, status: 500 }),
  },
  {
    ...common,
    id: 'F16b',
    title: 'Power BI returns 500 for every third call',
    fault: withFault({ path: rest, status: 500, every: 3 }),
  },
  {
    ...common,
    id: 'F16c',
    title: 'Power BI returns 429 with Retry-After: 5',
    fault: withFault({ path: rest, retry_after: 5 }),
  },
  {
    ...common,
    id: 'F16d',
    title: 'Power BI returns 401 for every call',
    fault: withFault({ path: rest, status: 401 }),
  },
  { ...common, id: 'F17', title: 'Power BI does not respond', fault: withFault({ path: rest, hang: true }) },
  {
    ...common,
    id: 'F17b',
    title: 'Power BI drops connections',
    fault: withFault({ path: rest, reset: true }),
  },
  {
    ...common,
    id: 'F17c',
    title: 'Power BI closes the connection within a response',
    fault: withToxics({ limitData: 120 }),
  },
  {
    ...common,
    id: 'F17d',
    title: 'Power BI responds slowly, 20 bytes at a time',
    fault: withToxics({ slicer: 20, latency: 200 }),
  },
  {
    ...common,
    id: 'F17e',
    title: 'Power BI accepts connections and reads nothing',
    fault: withToxics({ timeout: 0 }),
  },
  {
    ...common,
    id: 'F18',
    title: 'Power BI returns HTML',
    fault: withFault({ path: rest, status: 200, body: '<html>maintenance</html>' }),
  },
  {
    ...common,
    id: 'F18b',
    title: 'Power BI returns 5 MB',
    fault: withFault({ path: rest, status: 200, body: { token: 'x'.repeat(5_000_000) } }),
  },
  {
    ...common,
    id: 'F18c',
    title: 'Power BI redirects',
    fault: withFault({ path: rest, status: 302, headers: { location: 'http://127.0.0.1:9/' } }),
  },
  {
    ...common,
    id: 'F19',
    title: 'Entra is down while its token is valid',
    success: { share: 0.999 },
    fault: withFault({ path: '/oauth2/', status: 503 }),
  },
  {
    ...common,
    id: 'F19b',
    title: 'Entra is down and its token has expired',
    upstreamClockOffsetMs: 3_700_000,
    fault: async (context) => {
      await context.cluster.emulator.send('POST', '/clock', { advance_seconds: 3_700 });
      await withFault({ path: '/oauth2/', status: 503 })(context);
    },
  },
];
