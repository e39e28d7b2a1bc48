import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '../load/random.js';
import type { Context, Scenario } from '../scenario.js';

async function openSockets(port: number, count: number, first: string): Promise<Socket[]> {
  const sockets: Socket[] = [];
  for (let index = 0; index < count; index += 1) {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.on('data', () => undefined);
    socket.once('connect', () => socket.write(first));
    sockets.push(socket);
    if (index % 50 === 0) await Promise.race([once(socket, 'connect'), once(socket, 'close'), sleep(1_000)]);
  }
  return sockets;
}

const countOpen = (sockets: readonly Socket[]): number =>
  sockets.filter(({ destroyed, closed }) => !destroyed && !closed).length;

/** Sockets that start a request and send a byte per second. */
const sendSlowly =
  (first: string, drop: string, seconds: number, bound: number) =>
  async (context: Context): Promise<void> => {
    const port = context.cluster.replicas[0]?.port ?? 0;
    const sockets = await openSockets(port, 500, first);
    for (let second = 0; second < seconds; second += 1) {
      await sleep(1_000);
      for (const socket of sockets) if (!socket.destroyed && socket.writable) socket.write(drop);
    }
    const left = countOpen(sockets);
    for (const socket of sockets) socket.destroy();
    context.expect(
      `500 slow sockets are closed within ${bound} s`,
      left === 0,
      `${left} still open after ${seconds} s`,
    );
  };

/** Clients that are slow, or disconnect before the response. */
export const ofClients: Scenario[] = [
  {
    id: 'F24',
    title: '500 sockets that never finish their headers',
    rate: 10,
    seconds: 30,
    at: 2,
    success: { share: 0.99 },
    fault: sendSlowly('GET /api/workspaces HTTP/1.1\r\nHost: vitrine.test\r\n', 'X-A: b\r\n', 15, 12),
  },
  {
    id: 'F24b',
    title: '500 sockets that never finish their body',
    rate: 10,
    seconds: 50,
    at: 2,
    success: { share: 0.99 },
    fault: sendSlowly(
      'POST /api/auth/token HTTP/1.1\r\nHost: vitrine.test\r\nContent-Type: application/json\r\nContent-Length: 9000\r\n\r\n{',
      ' ',
      36,
      33,
    ),
  },
  {
    id: 'F25',
    title: 'every second client disconnects before the response',
    rate: 15,
    seconds: 24,
    at: 2,
    success: { share: 0.99 },
    fault: async ({ caller, testData, seed }) => {
      const random = new Random(seed);
      const leaving: Promise<unknown>[] = [];
      for (let index = 0; index < 300; index += 1) {
        await sleep(50);
        const { session, email, address, workspaces } = random.one(testData.members);
        const reports = testData.workspaces.find(({ id }) => id === workspaces[0])?.reports ?? [];
        if (session === null) continue;
        const embed = random.chance(0.4);
        leaving.push(
          caller.send({
            op: embed ? 'embed' : 'list',
            key: embed ? random.one(reports) : '',
            actor: email,
            from: address,
            method: embed ? 'POST' : 'GET',
            path: embed ? `/api/reports/${random.one(reports)}/embed-token` : '/api/reports',
            token: session.access,
            sid: session.sid,
            abortAfterMs: 1 + random.below(30),
          }),
        );
      }
      await Promise.all(leaving);
    },
  },
];
