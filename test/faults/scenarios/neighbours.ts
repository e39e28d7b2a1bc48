import { setTimeout as sleep } from 'node:timers/promises';
import type { MailTrouble } from '../parts/mail-sink.js';
import type { Context, Scenario } from '../scenario.js';

const mail = (id: string, title: string, trouble: MailTrouble): Scenario => ({
  id,
  title,
  rate: 15,
  seconds: 22,
  mix: { list: 30, read: 20, invite: 20, accept: 5, refresh: 10, embed: 10 },
  at: 2,
  success: { share: 0.999 },
  fault: async ({ stand }) => {
    stand.mail.trouble = trouble;
    await sleep(10_000);
    stand.mail.trouble = 'none';
  },
  after: invitesStayQuick,
});

/** Whoever invites does not wait for the mail server. */
function invitesStayQuick({ caller, expect }: Context): void {
  const times = caller.history
    .filter(({ op }) => op === 'invite')
    .map(({ t_invoke, t_done }) => t_done - t_invoke);
  const slow = times.filter((ms) => ms > 4_000).length;
  expect(
    'inviting does not wait for the mail server',
    slow === 0 && times.length > 0,
    `${slow} of ${times.length} took over 4 s`,
  );
}

const redis = (id: string, title: string, fault: Scenario['fault']): Scenario => ({
  id,
  title,
  rate: 15,
  seconds: 24,
  success: { share: 0.999 },
  fault,
});

/** Faults of Redis and of the mail server: neither is needed for an answer. */
export const ofNeighbours: Scenario[] = [
  redis('F15', 'kill -9 of Redis', async ({ stand }) => {
    stand.redis.signal('SIGKILL');
    await stand.redis.ended();
    await sleep(6_000);
    stand.redis = await stand.startRedis(stand.lines.redis.target);
  }),
  redis('F15b', 'Redis swallows everything', async ({ stand }) => {
    stand.lines.redis.toxics = { timeout: 0 };
    await sleep(8_000);
    await stand.lines.redis.up();
  }),
  redis('F15c', 'Redis 400 ms away', async ({ stand }) => {
    stand.lines.redis.toxics = { latency: 200 };
    await sleep(8_000);
    await stand.lines.redis.up();
  }),
  redis('F15d', 'FLUSHALL every second', async ({ stand }) => {
    for (let round = 0; round < 8; round += 1) {
      await stand.redisSays(stand.lines.redis.target, 'FLUSHALL');
      await sleep(1_000);
    }
  }),
  redis('F15e', 'Redis is out of memory', async ({ stand }) => {
    await stand.redisSays(stand.lines.redis.target, 'CONFIG', 'SET', 'maxmemory', '1');
    await sleep(8_000);
    await stand.redisSays(stand.lines.redis.target, 'CONFIG', 'SET', 'maxmemory', '0');
  }),
  mail('F20', 'the mail server never answers', 'hang'),
  mail('F20b', 'the mail server is busy (421)', 'busy'),
  mail('F20c', 'the mail server refuses (550)', 'refuse'),
  mail('F20d', 'the mail server takes the mail and closes without a word', 'lose'),
  {
    ...mail('F20e', 'the mail server is down', 'none'),
    fault: async ({ stand }) => {
      await stand.lines.smtp.down();
      await sleep(10_000);
      await stand.lines.smtp.up();
    },
  },
];
