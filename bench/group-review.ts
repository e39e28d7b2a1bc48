import { setTimeout as sleep } from 'node:timers/promises';
import { residentMb, waitUntilReady } from './parts.js';
import { freePort } from '../local/free-port.js';
import { type Row, row } from './rows.js';
import type { TestBed } from './test-bed.js';

/** Active grants of every person, counted without the statements of the service, and one line for each admin. */
const expectedRows = `
  SELECT count(*)::int AS count FROM (
    SELECT user_id, group_id FROM grants WHERE expires_at IS NULL OR expires_at > now()
  ) AS held LEFT JOIN (SELECT DISTINCT * FROM group_members_all) AS member USING (group_id), LATERAL (
    SELECT coalesce(held.user_id, member.user_id) AS id) AS person
  WHERE person.id IS NOT NULL`;

interface Reading {
  accept: string;
  /** Stops after this time; otherwise reads everything. */
  seconds?: number;
  /** A slow reader waits after each part. */
  megabytesPerSecond?: number;
}

const readings: Record<string, Reading> = {
  'NDJSON, everything': { accept: 'application/x-ndjson' },
  'CSV, first minute': { accept: 'text/csv', seconds: 60 },
  'NDJSON, read at 1 MB/s for half a minute': {
    accept: 'application/x-ndjson',
    seconds: 30,
    megabytesPerSecond: 1,
  },
};

/** What Node chooses in a container with 512 MiB, as in the Helm chart. On a large machine V8 collects garbage late. */
const heap = '--max-old-space-size=256 --max-semi-space-size=1';

interface Found {
  rows: number;
  bytes: number;
  seconds: number;
}

const LINE_FEED = 10;

function linesIn(bytes: Uint8Array): number {
  let lines = 0;
  for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) lines += 1;
  return lines;
}

async function read(
  url: string,
  token: string,
  { accept, seconds = Infinity, megabytesPerSecond = Infinity }: Reading,
): Promise<Found> {
  const began = performance.now();
  const elapsed = () => (performance.now() - began) / 1000;
  const response = await fetch(`${url}/api/access/review`, {
    headers: { authorization: `Bearer ${token}`, accept },
  });
  if (!response.ok || response.body === null)
    throw new Error(`review: ${response.status} ${await response.text()}`);
  const found: Found = { rows: 0, bytes: 0, seconds: 0 };
  // A response that breaks off has fewer rows.
  const parts = response.body as unknown as AsyncIterable<Uint8Array>;
  for await (const part of parts) {
    found.rows += linesIn(part);
    found.bytes += part.length;
    if (elapsed() > seconds) break;
    await sleep(Math.max(0, found.bytes / megabytesPerSecond / 1000 - elapsed() * 1000));
  }
  return { ...found, seconds: elapsed() };
}

/** The most memory that the service uses meanwhile, above that before, in MB. */
async function withMemory<T>(service: TestBed['service'], work: () => Promise<T>): Promise<[T, number]> {
  const idle = residentMb(service);
  let most = idle;
  const sampling = setInterval(() => (most = Math.max(most, residentMb(service))), 50);
  try {
    return [await work(), most - idle];
  } finally {
    clearInterval(sampling);
  }
}

/** Each in a service that has just started, because memory that was used before would hide what a review needs. */
async function measureReading(
  testBed: TestBed,
  name: string,
  reading: Reading,
  expected: number,
): Promise<Row> {
  const port = String(await freePort());
  const url = `http://127.0.0.1:${port}`;
  const service = testBed.start('src/main.js', {
    ...testBed.environment,
    PORT: port,
    NODE_OPTIONS: heap,
  });
  try {
    await waitUntilReady(`${url}/readyz`);
    await sleep(5000);
    const [found, megabytes] = await withMemory(service, () => read(url, testBed.token, reading));
    const { rows, bytes, seconds } = found;
    if (reading.seconds === undefined && rows !== expected)
      throw new Error(`${rows} rows of the review instead of ${expected}`);
    return row({
      work: `access review: ${name}`,
      figures: { 'MB above idle': megabytes, rows, 'rows a second': rows / seconds, 'MB read': bytes / 1e6 },
      value: megabytes,
      goal: { atMost: 100, unit: 'MB' },
    });
  } finally {
    service.kill('SIGKILL');
  }
}

export async function measureReview(testBed: TestBed): Promise<Row[]> {
  const { rows: counted } = await testBed.database.query<{ count: number }>(expectedRows);
  const { rows: admins } = await testBed.database.query(`SELECT FROM users WHERE role = 'admin'`);
  const expected = (counted[0]?.count ?? 0) + admins.length;
  const rows: Row[] = [];
  for (const [name, reading] of Object.entries(readings))
    rows.push(await measureReading(testBed, name, reading, expected));
  return rows;
}
