import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface RequestSpec {
  path: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

export interface Load {
  /** URL of the server, without a path. */
  url: string;
  /** Sent in turn, repeatedly. */
  requests: readonly RequestSpec[];
  connections: number;
  seconds: number;
  /** Otherwise a failure throws, because fast failures would look like good results. */
  mayFail?: boolean;
}

export interface Figures {
  per_second: number;
  p50_ms: number;
  p99_ms: number;
  /** Responses other than 2xx and 304, and socket errors. */
  failed: number;
}

interface WrkOutput {
  requests: number;
  microseconds: number;
  p50_ms: number;
  p99_ms: number;
  failed: number;
}

/** ASCII JSON strings are valid Lua strings. */
const lua = (text: string): string => JSON.stringify(text);

const request = ({ path, method = 'GET', headers = {}, body }: RequestSpec): string => {
  const fields = Object.entries(headers).map(([name, value]) => `[${lua(name)}] = ${lua(value)}`);
  const all = [...fields, '["Host"] = wrk.headers["Host"]'].join(', ');
  return `  wrk.format(${lua(method)}, ${lua(path)}, {${all}}, ${body === undefined ? 'nil' : lua(body)}),`;
};

/** The wrk script: sends the requests and prints the figures as one line of JSON. */
const script = (requests: readonly RequestSpec[]): string => `
local requests
local last = 0
init = function()
  requests = {
${requests.map(request).join('\n')}
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

/** A closed loop with the given number of connections, by wrk (Debian: apt-get install wrk). */
export async function load({ url, requests, connections, seconds, mayFail = false }: Load): Promise<Figures> {
  const file = join(tmpdir(), `vitrine-wrk-${process.pid}.lua`);
  writeFileSync(file, script(requests), { mode: 0o600 });
  try {
    const args = ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '10s', '-s', file, url];
    const child = spawn('wrk', args, { stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const [code] = (await once(child, 'close').catch((error: unknown) => {
      throw new Error('wrk is needed to make load: apt-get install wrk', { cause: error });
    })) as [number];
    if (code !== 0) throw new Error(`wrk ended with ${code}: ${output}`);
    const parsed = JSON.parse(output.trim().split('\n').at(-1) ?? '') as WrkOutput;
    const { requests: sent, microseconds, failed, p50_ms, p99_ms } = parsed;
    if (failed > 0 && !mayFail) {
      throw new Error(`${failed} of ${sent} requests to ${url}${requests[0]?.path} failed`);
    }
    // Without any response the latency is at least the duration of the run.
    const atLeast = (ms: number): number => (sent === 0 ? seconds * 1000 : ms);
    return {
      per_second: sent / (microseconds / 1e6),
      p50_ms: atLeast(p50_ms),
      p99_ms: atLeast(p99_ms),
      failed,
    };
  } finally {
    rmSync(file, { force: true });
  }
}
