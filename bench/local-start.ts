import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { stopProgram } from './parts.js';

const program = fileURLToPath(new URL('../../local/start.js', import.meta.url));

/** Runs `npm start` on a new data folder, and parses the printed URL and credentials. */
export async function startLocally(dataDir: string, seconds = 90) {
  const child = spawn(process.execPath, [program], {
    env: {
      PATH: process.env.PATH ?? '',
      DATA_DIR: dataDir,
      PORT: '0',
      RATE_LIMIT_SIGN_IN_PER_IP: '0',
      // Its rollup would run during the measurement.
      DEMO_DATA: 'false',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (text) => (output += String(text)));
  const stop = async (): Promise<void> => {
    await stopProgram(child);
  };
  const said = (pattern: RegExp): string => pattern.exec(output)?.[1] ?? '';
  for (const end = Date.now() + seconds * 1000; Date.now() < end; await sleep(100)) {
    if (child.exitCode !== null) break;
    if (!output.includes('Press Ctrl-C to stop')) continue;
    const admin = { email: said(/admin email +(\S+)/), password: said(/admin password +(\S+)/) };
    return { url: said(/ready at (\S+)/), admin, stop };
  }
  await stop();
  throw new Error(`The local start did not come up:\n${output}`);
}
