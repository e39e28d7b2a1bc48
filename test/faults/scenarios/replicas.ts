import { spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Entry, Op } from '../load/history.js';
import type { Context, Scenario } from '../scenario.js';

const second = ({ cluster }: Context) => {
  const replica = cluster.replicas[1];
  if (replica === undefined) throw new Error('There is no second replica');
  return replica;
};

async function killOne(context: Context): Promise<void> {
  const replica = second(context);
  replica.child.signal('SIGKILL');
  await replica.child.waitForExit();
  await sleep(3_000);
  await context.cluster.restart(replica);
}

/** Restarts the replicas one after the other, each when the previous one is ready. */
async function restartAll({ cluster, expect, notes }: Context): Promise<void> {
  for (const { name } of cluster.replicas.slice()) {
    const replica = cluster.replicas.find((each) => each.name === name);
    if (replica === undefined) continue;
    const began = Date.now();
    const { code, forced } = await replica.child.stop();
    const seconds = (Date.now() - began) / 1000;
    notes.push(`${name} stopped in ${seconds.toFixed(1)} s`);
    expect(
      `${name} exits with 0 within 25 s`,
      code === 0 && !forced && seconds <= 25,
      `${code}, ${seconds.toFixed(1)} s`,
    );
    await cluster.restart(replica);
    await sleep(1_000);
  }
}

/** Operations that send GET. */
const reads: Op[] = ['list', 'read', 'me', 'read_name', 'probe_access'];

/** Why nginx cannot run here. */
const nginxObstacle = (): string | null =>
  spawnSync('nginx', ['-v'], { env: { PATH: `${process.env['PATH']}:/usr/sbin` } }).status === 0
    ? null
    : 'nginx is not installed';

/** Faults of the service's own processes. */
export const ofReplicas: Scenario[] = [
  {
    id: 'F1',
    title: 'kill -9 of a replica',
    rate: 20,
    seconds: 24,
    success: { share: 0.99 },
    fault: killOne,
  },
  {
    id: 'F2',
    title: 'rolling restart of three replicas',
    rate: 100,
    seconds: 60,
    at: 3,
    success: { share: 1 },
    fault: restartAll,
  },
  {
    id: 'F3',
    title: 'SIGSTOP of a replica for 5 s, then CONT',
    rate: 20,
    seconds: 28,
    success: { share: 0.97 },
    fault: async (context) => {
      const { child } = second(context);
      child.signal('SIGSTOP');
      await sleep(5_000);
      child.signal('SIGCONT');
    },
  },
  {
    id: 'F21',
    title: 'the event loop of a replica is blocked for 1 s, six times (by SIGSTOP)',
    rate: 20,
    seconds: 26,
    success: { share: 0.99 },
    fault: async (context) => {
      const { child } = second(context);
      for (let round = 0; round < 6; round += 1) {
        child.signal('SIGSTOP');
        await sleep(1_000);
        child.signal('SIGCONT');
        await sleep(500);
      }
    },
  },
  {
    id: 'F22',
    title: 'memory pressure: --max-old-space-size=128',
    rate: 30,
    seconds: 30,
    cluster: { node: ['--max-old-space-size=128'] },
    success: { share: 0.995 },
    fault: () => sleep(100),
  },
  {
    id: 'F30',
    title: 'the standard output of a replica is not read',
    rate: 20,
    seconds: 40,
    at: 1,
    success: { share: 0.99 },
    fault: async (context) => {
      const replica = second(context);
      await replica.child.stop();
      const started = context.cluster.launch(replica.name, replica.port, { blocked: true });
      await sleep(30_000);
      const response = await fetch(`${started.url}/livez`, { signal: AbortSignal.timeout(3_000) }).catch(
        () => null,
      );
      context.expect(
        'responds while its output is blocked',
        response?.ok === true,
        String(response?.status ?? 'no response'),
      );
    },
  },
  ...[2, 3].map((replicas, index) => ({
    id: `F${37 + index}`,
    title: `rolling restart of ${replicas} replicas behind nginx with the shipped file`,
    rate: 50,
    seconds: 60,
    at: 3,
    cluster: { replicas, nginx: true },
    obstacle: nginxObstacle,
    success: { share: 1 },
    fault: restartAll,
  })),
  ...[2, 3].map((replicas, index) => ({
    id: `F${39 + index}`,
    title: `kill -9 of one of ${replicas} replicas behind nginx with the shipped file`,
    rate: 20,
    seconds: 24,
    cluster: { replicas, nginx: true },
    obstacle: nginxObstacle,
    // nginx does not repeat a request that the killed replica may have executed.
    success: { share: 1, of: ({ op }: Entry) => reads.includes(op) },
    fault: killOne,
  })),
];
