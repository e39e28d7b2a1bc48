import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { isAbsolute } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { demoTenant } from '@vitrine/power-bi-emulator';

/** Whether programs can be bound to one of several cores. */
const canBind = availableParallelism() > 1 && spawnSync('taskset', ['--version']).status === 0;

/** Time until a program is killed. */
const TIMEOUT_MS = 30_000;

/** Also applies to programs started afterwards. */
export function bindThisProgram(core: number): void {
  if (canBind) spawnSync('taskset', ['-a', '-c', '-p', String(core), String(process.pid)]);
}

/**
 * Starts a program as a separate process, optionally bound to a core. `path` is relative to `dist`
 * or absolute.
 */
export function startProgram(
  path: string,
  environment: Record<string, string>,
  core?: number,
  args: readonly string[] = [],
): ChildProcess {
  const env = { PATH: process.env.PATH ?? '', ...environment };
  const file = isAbsolute(path) ? path : fileURLToPath(new URL(`../${path}`, import.meta.url));
  const command = [process.execPath, file, ...args];
  const bound = core !== undefined && canBind ? ['taskset', '-c', String(core), ...command] : command;
  return spawn(bound[0] as string, bound.slice(1), { env, stdio: ['ignore', 'ignore', 'inherit'] });
}

export async function stopProgram(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  child.kill('SIGCONT');
  const force = setTimeout(() => child.kill('SIGKILL'), TIMEOUT_MS);
  await gone;
  clearTimeout(force);
}

/** Polls until the response is 200. */
export async function waitUntilReady(
  url: string,
  { seconds = 60, ...request }: RequestInit & { seconds?: number } = {},
) {
  for (const end = Date.now() + seconds * 1000; Date.now() < end; await sleep(50)) {
    try {
      if ((await fetch(url, request)).ok) return;
    } catch {
      // Not reachable yet.
    }
  }
  throw new Error(`${url} does not respond`);
}

/** Megabytes of a process from a line of its status; 0 where it is unknown. */
function memory({ pid }: ChildProcess, line: 'VmHWM' | 'VmRSS'): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(new RegExp(String.raw`${line}:\s+(\d+)`).exec(status)?.[1]) / 1024;
  } catch {
    return 0;
  }
}

/** Peak resident memory of a process in MB. */
export const peakMemory = (child: ChildProcess): number => Math.round(memory(child, 'VmHWM'));

/** Resident memory of a process in MB. */
export const residentMb = (child: ChildProcess): number => memory(child, 'VmRSS');

/** CPU time of a process in seconds; a tick is a hundredth of a second. */
export function cpuSeconds({ pid }: ChildProcess): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

export interface Credentials {
  email: string;
  password: string;
}

export const admin: Credentials = {
  email: 'bench@vitrine.example',
  password: 'a password for one benchmark',
};

export const powerBiVariables = (url: string): Record<string, string> => ({
  POWERBI_API_URL: url,
  POWERBI_AUTHORITY_URL: url,
  POWERBI_TENANT_ID: demoTenant.tenantId,
  POWERBI_CLIENT_ID: demoTenant.clientId,
  POWERBI_CLIENT_SECRET: demoTenant.clientSecret,
});

export async function fetchJson<T>(url: string, token?: string, method = 'GET', body?: object): Promise<T> {
  const response = await fetch(url, {
    method,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${text}`);
  return (text === '' ? {} : JSON.parse(text)) as T;
}

export async function signIn(url: string, credentials: Credentials): Promise<string> {
  const path = `${url}/api/auth/token`;
  return (await fetchJson<{ access_token: string }>(path, undefined, 'POST', credentials)).access_token;
}

export const milliseconds = async (work: () => Promise<void>): Promise<number> => {
  const began = performance.now();
  await work();
  return performance.now() - began;
};

export const powerBiToken = async (url: string): Promise<string> => {
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: demoTenant.clientId,
    client_secret: demoTenant.clientSecret,
    scope: 'https://analysis.windows.net/powerbi/api/.default',
  });
  const response = await fetch(`${url}/${demoTenant.tenantId}/oauth2/v2.0/token`, {
    method: 'POST',
    body: form,
  });
  return ((await response.json()) as { access_token: string }).access_token;
};
