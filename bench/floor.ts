import { createServer } from 'node:http';
import { morningFloor } from './floor-morning.js';
import { read, send } from './floor-parts.js';
import { signInEcho, signInFloor } from './floor-sign-in.js';

/** Minimal servers that the service is compared with, in one program; `YARDSTICK` selects one. */
const yardstick = process.env.YARDSTICK ?? '';

/** Sends the same bytes for every request. */
function constant(): void {
  const body = JSON.stringify(read<object>('BODY_FILE'));
  createServer((_request, response) => send(response, body)).listen(Number(process.env.PORT), '127.0.0.1');
}

const yardsticks: Record<string, () => void> = { constant, morningFloor, signInFloor, signInEcho };
const start = yardsticks[yardstick];
if (start === undefined) throw new Error(`No such yardstick: ${yardstick}`);
start();
