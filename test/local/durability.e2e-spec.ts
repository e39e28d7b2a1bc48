import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startOf } from '../../local/process-identity.js';
import { inDatabase } from './owner-database.js';
import { databasePid, Started, temporaryDataDir } from './started.js';
import { until } from '../support/until.js';

// A path with letters outside of ASCII, as in the command line of the database server.
const { dataDir, remove } = temporaryDataDir('Übung März');
const confirmed: string[] = [];
let started: Started;
let count = 0;

beforeAll(async () => {
  started = await new Started(dataDir, { RATE_LIMIT_API_PER_MINUTE: '0' }).ready();
});

afterAll(async () => {
  await started?.signal('SIGTERM');
  await remove();
});

/** Invites one person after the other until the service is gone, noting what was confirmed. */
async function inviteUntilGone(token: string): Promise<void> {
  for (;;) {
    const email = `guest-${(count += 1)}@vitrine.example`;
    const response = await started.post('/api/users/invite', { email }, token).catch(() => null);
    if (!response) return;
    if (response.status === 201) confirmed.push(email);
  }
}

async function invited(): Promise<string[]> {
  const rows = await inDatabase(dataDir, (query) => query('select email from invitations'));
  return (rows as { email: string }[]).map(({ email }) => email);
}

describe('a local start after kill -9', () => {
  test('DUR-01 DUR-04: has every acknowledged invitation', async () => {
    for (let round = 0; round < 3; round += 1) {
      const token = await started.signIn();
      const already = confirmed.length;
      const inviting = [inviteUntilGone(token), inviteUntilGone(token), inviteUntilGone(token)];
      await until(() => confirmed.length >= already + 10);
      await started.signal('SIGKILL');
      await Promise.all(inviting);
      started = await new Started(dataDir, { RATE_LIMIT_API_PER_MINUTE: '0' }).ready();
      expect(await invited()).toEqual(expect.arrayContaining(confirmed));
    }
    expect(confirmed.length).toBeGreaterThanOrEqual(30);
  });

  test('DUR-05: never runs a second database server', async () => {
    const left = await databasePid(dataDir);
    await started.signal('SIGKILL');
    expect(startOf(left)).not.toBeNull();
    started = await new Started(dataDir).ready();
    expect(startOf(left)).toBeNull();
    expect(startOf(await databasePid(dataDir))).not.toBeNull();
  });

  test('DUR-02 DUR-04: recovers after its database was killed', async () => {
    const token = await started.signIn();
    const killed = await databasePid(dataDir);
    process.kill(killed, 'SIGKILL');
    // Its children answer for a moment longer.
    await until(async () => (await databasePid(dataDir).catch(() => killed)) !== killed);
    await until(() => started.get('/api/users', token).catch(() => null));
    const found = await until(() => invited().catch(() => null));
    expect(found).toEqual(expect.arrayContaining(confirmed));
  });
});
