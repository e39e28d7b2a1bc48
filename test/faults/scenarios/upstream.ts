import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from '../../../packages/power-bi-emulator/core/faults.js';
import type { Entry } from '../load/history.js';
import type { Context, Scenario } from '../scenario.js';

const rest = '^/v1\\.0/';
const notEmbed = ({ op }: Entry): boolean => op !== 'embed';
const whileItLasts = { share: 0.999, of: notEmbed };

const forAWhile =
  (fault: Fault, seconds = 8) =>
  async ({ stand }: Context): Promise<void> => {
    await stand.emulator.fault(fault);
    await sleep(seconds * 1000);
    await stand.emulator.heal();
  };

const line =
  (toxics: object, seconds = 8) =>
  async ({ stand }: Context): Promise<void> => {
    stand.lines.upstream.breakAll();
    stand.lines.upstream.toxics = toxics;
    await sleep(seconds * 1000);
    await stand.lines.upstream.up();
  };

const mix = { list: 25, read: 25, me: 10, embed: 30, refresh: 5, rename: 2, invite: 2, hostile: 1 };

/** After a breaker opened it looks again after 10 s at the earliest. */
const common = { rate: 15, seconds: 44, at: 4, mix, success: whileItLasts, recovery: 25 } as const;

/** Faults of Power BI and Entra. */
export const ofUpstream: Scenario[] = [
  {
    ...common,
    id: 'F16',
    title: 'Power BI answers 500 to everything',
    fault: forAWhile({ path: rest, status: 500 }),
  },
  {
    ...common,
    id: 'F16b',
    title: 'Power BI answers 500 to every third call',
    fault: forAWhile({ path: rest, status: 500, every: 3 }),
  },
  {
    ...common,
    id: 'F16c',
    title: 'Power BI answers 429, retry after 5 s',
    fault: forAWhile({ path: rest, retry_after: 5 }),
  },
  {
    ...common,
    id: 'F16d',
    title: 'Power BI answers 401 to everything',
    fault: forAWhile({ path: rest, status: 401 }),
  },
  { ...common, id: 'F17', title: 'Power BI never answers', fault: forAWhile({ path: rest, hang: true }) },
  {
    ...common,
    id: 'F17b',
    title: 'Power BI drops connections',
    fault: forAWhile({ path: rest, reset: true }),
  },
  {
    ...common,
    id: 'F17c',
    title: 'Power BI is cut off in the middle of an answer',
    fault: line({ limitData: 120 }),
  },
  { ...common, id: 'F17d', title: 'Power BI drips', fault: line({ slicer: 20, latency: 200 }) },
  {
    ...common,
    id: 'F17e',
    title: 'Power BI takes connections and nothing else',
    fault: line({ timeout: 0 }),
  },
  {
    ...common,
    id: 'F18',
    title: 'Power BI answers rubbish',
    fault: forAWhile({ path: rest, status: 200, body: '<html>maintenance</html>' }),
  },
  {
    ...common,
    id: 'F18b',
    title: 'Power BI answers 5 MB',
    fault: forAWhile({ path: rest, status: 200, body: { token: 'x'.repeat(5_000_000) } }),
  },
  {
    ...common,
    id: 'F18c',
    title: 'Power BI redirects',
    fault: forAWhile({ path: rest, status: 302, headers: { location: 'http://127.0.0.1:9/' } }),
  },
  {
    ...common,
    id: 'F19',
    title: 'Entra is down while its token is kept',
    success: { share: 0.999 },
    fault: forAWhile({ path: '/oauth2/', status: 503 }),
  },
  {
    ...common,
    id: 'F19b',
    title: 'Entra is down and the token has run out',
    upstreamAheadMs: 3_700_000,
    fault: async (context) => {
      await context.stand.emulator.send('POST', '/clock', { advance_seconds: 3_700 });
      await forAWhile({ path: '/oauth2/', status: 503 })(context);
    },
  },
];
