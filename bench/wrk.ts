import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Load {
  url: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string;
  connections: number;
  seconds: number;
}

export interface Figures {
  per_second: number;
  p50_ms: number;
  p99_ms: number;
  /** Answers that were not 2xx or 304, and sockets that broke. */
  failed: number;
}

/** What wrk is told: one request, again and again, and its figures as one line of JSON. */
const script = ({ method = 'GET', headers = {}, body }: Load): string => `
wrk.method = ${JSON.stringify(method)}
${body === undefined ? '' : `wrk.body = ${JSON.stringify(body)}`}
${Object.entries(headers)
  .map(([name, value]) => `wrk.headers[${JSON.stringify(name)}] = ${JSON.stringify(value)}`)
  .join('\n')}
done = function(summary, latency)
  local errors = summary.errors
  io.write(string.format('{"requests":%d,"microseconds":%d,"p50_ms":%f,"p99_ms":%f,"failed":%d}\\n',
    summary.requests, summary.duration, latency:percentile(50) / 1000, latency:percentile(99) / 1000,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
`;

/** A closed loop of so many connections, by wrk (Debian: apt-get install wrk), on the second core where that can be said. */
export async function load(what: Load): Promise<Figures> {
  const file = join(tmpdir(), `vitrine-wrk-${process.pid}.lua`);
  writeFileSync(file, script(what));
  const args = [
    '-t1',
    `-c${what.connections}`,
    `-d${what.seconds}s`,
    '--timeout',
    '10s',
    '-s',
    file,
    what.url,
  ];
  const child = spawn('wrk', args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const [code] = (await once(child, 'close').catch((error: unknown) => {
    throw new Error('wrk is needed to make load: apt-get install wrk', { cause: error });
  })) as [number];
  if (code !== 0) throw new Error(`wrk ended with ${code}: ${said}`);
  const { requests, microseconds, ...figures } = JSON.parse(said.trim().split('\n').at(-1) ?? '') as {
    requests: number;
    microseconds: number;
  } & Omit<Figures, 'per_second'>;
  return { per_second: requests / (microseconds / 1e6), ...figures };
}
