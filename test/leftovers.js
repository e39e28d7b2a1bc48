// Plain JavaScript, like the runner that uses it. As a program it ends what a run has started when test/run.js is killed:
// it sees that as the end of its stdin.
import { spawn } from 'node:child_process';
import { globSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const file = fileURLToPath(import.meta.url);

function read(path) {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}

/** Processes whose command line or environment names the folder of a run: it is in their TMPDIR. Linux only. */
function processesOf(folder) {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && name !== String(process.pid))
    .filter((pid) => ['cmdline', 'environ'].some((part) => read(`/proc/${pid}/${part}`).includes(folder)))
    .map((pid) => ({ pid: Number(pid), command: read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim() }));
}

function kill(pid) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended in the meantime.
  }
}

/** Ends every process and every database server of a run, and returns what it ended. */
export async function endAllOf(folder) {
  const { clearLeftover, lockFile } = await import('../dist/local/postgres-leftover.js');
  const ended = new Set();
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const servers = globSync('**/postmaster.pid', { cwd: folder }).map((lock) => dirname(join(folder, lock)));
    // A database server ends in order, so that its own processes and shared memory go with it.
    const pids = servers.map((data) => Number(lockFile(data)[0]));
    const others = processesOf(folder).filter(({ pid }) => !pids.includes(pid));
    for (const { pid, command } of others) {
      kill(pid);
      ended.add(`${command} (PID ${pid})`);
    }
    for (const data of servers) await clearLeftover(data, (line) => ended.add(line)).catch(() => undefined);
    if (servers.length + others.length === 0) break;
    await sleep(50);
  }
  return [...ended];
}

/** Starts this file as a program. It ends and removes what is in the added folders when this process is killed. */
export function watch() {
  // Detached, so that a signal to the process group does not end it.
  const watcher = spawn(process.execPath, [file], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  watcher.unref();
  watcher.stdin.unref();
  watcher.stdin.on('error', () => undefined);
  return {
    add: (folder) => watcher.stdin.write(`${folder}\n`),
    end: () => watcher.kill('SIGKILL'),
  };
}

if (process.argv[1] === file) {
  const folders = [];
  for await (const line of createInterface({ input: process.stdin })) folders.push(line);
  for (const folder of folders) await endAllOf(folder);
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}
