import { setTimeout as sleep } from 'node:timers/promises';
import type { MailFailure } from '../parts/mail-sink.js';
import type { Context, Scenario } from '../scenario.js';

const mail = (id: string, title: string, trouble: MailFailure): Scenario => ({
  id,
  title,
  rate: 15,
  seconds: 22,
  mix: { list: 30, read: 20, invite: 20, accept: 5, refresh: 10, embed: 10 },
  at: 2,
  success: { share: 0.999 },
  fault: async ({ cluster }) => {
    cluster.mail.failure = trouble;
    await sleep(10_000);
    cluster.mail.failure = 'none';
  },
  after: expectQuickInvitations,
});

/** Invitations do not wait for the mail server. */
function expectQuickInvitations({ caller, expect }: Context): void {
  const times = caller.history
    .filter(({ op }) => op === 'invite')
    .map(({ t_invoke, t_done }) => t_done - t_invoke);
  const slow = times.filter((ms) => ms > 4_000).length;
  expect(
    'invitations do not wait for the mail server',
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

/** Faults of Redis and of the mail server. No response depends on them. */
export const ofRedisAndMail: Scenario[] = [
  redis('F15', 'kill -9 of Redis', async ({ cluster }) => {
    cluster.redis.signal('SIGKILL');
    await cluster.redis.waitForExit();
    await sleep(6_000);
    cluster.redis = await cluster.startRedis(cluster.proxies.redis.target);
  }),
  redis('F15b', 'Redis receives and sends nothing for 8 s', async ({ cluster }) => {
    cluster.proxies.redis.toxics = { timeout: 0 };
    await sleep(8_000);
    await cluster.proxies.redis.up();
  }),
  redis('F15c', '400 ms latency to Redis', async ({ cluster }) => {
    cluster.proxies.redis.toxics = { latency: 200 };
    await sleep(8_000);
    await cluster.proxies.redis.up();
  }),
  redis('F15d', 'FLUSHALL every second', async ({ cluster }) => {
    for (let round = 0; round < 8; round += 1) {
      await cluster.sendToRedis(cluster.proxies.redis.target, 'FLUSHALL');
      await sleep(1_000);
    }
  }),
  redis('F15e', 'Redis is out of memory', async ({ cluster }) => {
    await cluster.sendToRedis(cluster.proxies.redis.target, 'CONFIG', 'SET', 'maxmemory', '1');
    await sleep(8_000);
    await cluster.sendToRedis(cluster.proxies.redis.target, 'CONFIG', 'SET', 'maxmemory', '0');
  }),
  mail('F20', 'the mail server does not respond', 'hang'),
  mail('F20b', 'the mail server is busy (421)', 'busy'),
  mail('F20c', 'the mail server rejects the mail (550)', 'refuse'),
  mail('F20d', 'the mail server accepts the mail and closes without a reply', 'lose'),
  {
    ...mail('F20e', 'the mail server is down', 'none'),
    fault: async ({ cluster }) => {
      await cluster.proxies.smtp.down();
      await sleep(10_000);
      await cluster.proxies.smtp.up();
    },
  },
];
