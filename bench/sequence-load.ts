import { bytesOf, HttpConnection } from './http-connection.js';
import { percentile } from './rows.js';
import type { RequestSpec } from './wrk.js';

interface SequenceLoad {
  /** URL of the server, without a path. */
  url: string;
  /** Each user's requests. */
  sequences: readonly (readonly RequestSpec[])[];
  connections: number;
}

export interface SequenceFigures {
  /** Requests, not sequences. */
  per_second: number;
  p50_ms: number;
  p99_ms: number;
  /** Share of a core that this process used. */
  generator: number;
}

/**
 * A closed loop that sends each sequence once and in order, a request after the response to the one before; a connection
 * then takes the next sequence. wrk starts again with the first request and sends the next one on any free connection, so
 * it can do neither. Throws when a response is not 200: an error that is returned quickly would count as fast.
 */
export async function runSequences({ url, sequences, connections }: SequenceLoad): Promise<SequenceFigures> {
  const { host, hostname, port } = new URL(url);
  const prepared = sequences.map((requests) => requests.map((ask) => ({ ask, bytes: bytesOf(ask, host) })));
  const left = prepared.values();
  const times: number[] = [];
  const connection = async (): Promise<void> => {
    const line = new HttpConnection(hostname, Number(port));
    for (const sequence of left) {
      for (const { ask, bytes } of sequence) {
        const sent = performance.now();
        const status = await line.ask(bytes);
        times.push(performance.now() - sent);
        if (status !== 200) throw new Error(`${ask.method} ${url}${ask.path}: status ${status}`);
      }
    }
    line.close();
  };
  const [cpuBefore, began] = [process.cpuUsage(), performance.now()];
  await Promise.all(Array.from({ length: connections }, connection));
  const elapsedMs = performance.now() - began;
  const { user, system } = process.cpuUsage(cpuBefore);
  return {
    per_second: times.length / (elapsedMs / 1000),
    p50_ms: percentile(times, 0.5),
    p99_ms: percentile(times, 0.99),
    generator: (user + system) / 1000 / elapsedMs,
  };
}
