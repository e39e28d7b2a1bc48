// Sign-ins by password compared with argon2 alone with the same parameters, and with a minimal sign-in server. All
// programs use all cores.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startTestBed } from './test-bed.js';
import { admin } from './parts.js';
import { createUsers } from './bench-users.js';
import { measureInTurn, seconds } from './rounds.js';
import { row, printRows } from './rows.js';
import { load } from './wrk.js';
import { startReference } from './yardstick.js';

const run = promisify(execFile);
/** Enough to keep every core hashing while others wait for the database. */
const connections = 32;
/** Enough that no user signs in twice concurrently. */
const accounts = 500;

const bareArgon2 = fileURLToPath(new URL('bare-argon2.js', import.meta.url));

const testBed = await startTestBed({ cores: 'shared', variables: { RATE_LIMIT_SIGN_IN_PER_IP: '0' } });
try {
  const requests = (await createUsers(testBed, accounts)).map(({ email }) => ({
    path: '/api/auth/token',
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email, password: admin.password }),
  }));
  const signIns = (url: string) => () => load({ url, requests, connections, seconds });
  const bare = async () => {
    const { stdout } = await run(process.execPath, [bareArgon2, String(connections), String(seconds)]);
    return { per_second: Number(stdout), p50_ms: Number.NaN, p99_ms: Number.NaN, failed: 0 };
  };
  const serving = {
    vitrine: signIns(testBed.url),
    floor: signIns((await startReference(testBed, { YARDSTICK: 'signInFloor' })).url),
    echo: signIns((await startReference(testBed, { YARDSTICK: 'signInEcho' })).url),
  };
  for (const warmUp of Object.values(serving)) await warmUp();
  const { vitrine, floor, echo, argon2 } = await measureInTurn({ ...serving, argon2: bare }, (measure) =>
    measure(),
  );
  const alone = argon2.per_second.median;
  printRows([
    row({
      work: 'sign-in by password',
      figures: {
        'vitrine, a second': vitrine.per_second,
        'argon2 alone, a second': argon2.per_second,
        'vitrine, p99 ms': vitrine.p99_ms,
      },
      ratio: vitrine.per_second.median / alone,
      goal: { atLeast: 0.9, unit: '× argon2' },
    }),
    row({
      work: 'sign-in: what its floor has of argon2 alone',
      figures: { 'floor, a second': floor.per_second, 'echo, a second': echo.per_second },
      ratio: floor.per_second.median / alone,
    }),
    row({
      work: 'sign-in: beside its floor',
      figures: {},
      ratio: vitrine.per_second.median / floor.per_second.median,
    }),
  ]);
} finally {
  await testBed.close();
}
