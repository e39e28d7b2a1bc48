import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Ask {
  path: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

export interface Load {
  /** Of the server, without a path. */
  url: string;
  /** One after the other, and again from the first. */
  asks: readonly Ask[];
  connections: number;
  seconds: number;
  /** Else it throws: what is refused quickly would pass for fast. */
  mayFail?: boolean;
}

export interface Figures {
  per_second: number;
  p50_ms: number;
  p99_ms: number;
  /** Answers that were not 2xx or 304, and sockets that broke. */
  failed: number;
}

interface Said {
  requests: number;
  microseconds: number;
  p50_ms: number;
  p99_ms: number;
  failed: number;
}

/** JSON's strings are Lua's, as long as they are ASCII. */
const lua = (text: string): string => JSON.stringify(text);

const request = ({ path, method = 'GET', headers = {}, body }: Ask): string => {
  const fields = Object.entries(headers).map(([name, value]) => `[${lua(name)}] = ${lua(value)}`);
  const all = [...fields, '["Host"] = wrk.headers["Host"]'].join(', ');
  return `  wrk.format(${lua(method)}, ${lua(path)}, {${all}}, ${body === undefined ? 'nil' : lua(body)}),`;
};

/** What wrk is told: the requests, and to say its figures as one line of JSON. */
const script = (asks: readonly Ask[]): string => `
local requests
local last = 0
init = function()
  requests = {
${asks.map(request).join('\n')}
  }
end
request = function()
  last = last % #requests + 1
  return requests[last]
end
done = function(summary, latency)
  local errors = summary.errors
  io.write(string.format('{"requests":%d,"microseconds":%d,"p50_ms":%f,"p99_ms":%f,"failed":%d}\\n',
    summary.requests, summary.duration, latency:percentile(50) / 1000, latency:percentile(99) / 1000,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
`;

/** A closed loop of so many connections, by wrk (Debian: apt-get install wrk). */
export async function load({ url, asks, connections, seconds, mayFail = false }: Load): Promise<Figures> {
  const file = join(tmpdir(), `vitrine-wrk-${process.pid}.lua`);
  writeFileSync(file, script(asks), { mode: 0o600 });
  try {
    const args = ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '10s', '-s', file, url];
    const child = spawn('wrk', args, { stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const [code] = (await once(child, 'close').catch((error: unknown) => {
      throw new Error('wrk is needed to make load: apt-get install wrk', { cause: error });
    })) as [number];
    if (code !== 0) throw new Error(`wrk ended with ${code}: ${output}`);
    const said = JSON.parse(output.trim().split('\n').at(-1) ?? '') as Said;
    const { requests, microseconds, failed, p50_ms, p99_ms } = said;
    if (failed > 0 && !mayFail) {
      throw new Error(`${failed} of ${requests} requests to ${url}${asks[0]?.path} failed`);
    }
    // Of what never came it is only known that it takes longer.
    const atLeast = (ms: number): number => (requests === 0 ? seconds * 1000 : ms);
    return {
      per_second: requests / (microseconds / 1e6),
      p50_ms: atLeast(p50_ms),
      p99_ms: atLeast(p99_ms),
      failed,
    };
  } finally {
    rmSync(file, { force: true });
  }
}
