import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { EventLoopMonitor } from './event-loop-monitor.js';

test('time before start does not count as delay: a replica that has just started accepts requests', async () => {
  const monitor = new EventLoopMonitor();
  await sleep(600);
  monitor.start();
  await sleep(300);
  monitor.stop();
  expect(monitor.delayMs).toBeLessThan(300);
});
