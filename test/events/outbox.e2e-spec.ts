import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { DatabaseService } from '../../src/core/database/database.service.js';
import { EventDrainService } from '../../src/events/outbox/event-drain.service.js';
import { EventFeedService } from '../../src/events/outbox/event-feed.service.js';
import type { Event } from '../../src/events/outbox/events.queries.js';
import { EventsService } from '../../src/events/outbox/events.service.js';
import { type InProcessReplica, startInProcessReplica } from '../support/replicas.js';
import { type Service, startService } from '../support/service.js';
import { until } from '../support/until.js';

let service: Service;
let replicas: InProcessReplica[];
let apps: Service['app'][];

beforeAll(async () => {
  service = await startService();
  replicas = [await startInProcessReplica(service), await startInProcessReplica(service)];
  apps = [service.app, ...replicas.map(({ app }) => app)];
});
afterAll(async () => {
  for (const replica of replicas) await replica.close();
  await service.close();
});

const eventsOf = (app = service.app): EventsService => app.get(EventsService);

/** A change of one subject: the row that it locks orders the changes, as in every feature. */
async function change(app: Service['app'], subject: number, delayMs: () => number): Promise<void> {
  await app.get(DatabaseService).newTransaction(async (tx) => {
    // The transaction has an id before it waits for the subject, so ids of transactions have another order.
    await tx.query(`INSERT INTO note (at) VALUES (now())`);
    await sleep(delayMs());
    const [[row]] = await tx.query<[[{ version: number }]]>(
      'UPDATE subject SET version = version + 1 WHERE id = $1 RETURNING version',
      [subject],
    );
    const data = { workspace_id: uuidv7(), changed: [String(row.version)] };
    await app
      .get(EventsService)
      .record(tx, [{ type: 'workspace.updated', subject: `workspace/${subject}`, data }]);
    await sleep(delayMs());
  });
}

/** Reads until the last event, as a reader outside would. */
async function readAll(after: number, limit = 7): Promise<Event[]> {
  const found: Event[] = [];
  for (let position = after, isMore = true; isMore;) {
    const batch = await eventsOf().after({ after: position, limit });
    found.push(...batch.events);
    position = batch.next;
    isMore = batch.isMore;
  }
  return found;
}

const versionOf = ({ data }: Event): number => Number((data as { changed: string[] }).changed[0]);

async function connect(): Promise<Client> {
  const client = new Client({ connectionString: service.databaseUrl });
  await client.connect();
  return client;
}

const unassigned = async (): Promise<number> => {
  const [row] = await service.database.query('SELECT count(*)::int AS n FROM events WHERE seq IS NULL');
  return (row as { n: number }).n;
};

describe('seq', () => {
  test('has no gaps, each reader receives each event once, and events of a subject keep their order', async () => {
    const SUBJECTS = 6;
    const CHANGES = 240;
    await service.database.query(`CREATE TABLE subject (id int PRIMARY KEY, version int NOT NULL);
      CREATE TABLE note (at timestamptz); INSERT INTO subject SELECT n, 0 FROM generate_series(1, ${SUBJECTS}) n`);
    await until(async () => (await unassigned()) === 0);
    const start = await eventsOf().lastSeq();
    const live: Event[] = [];
    let reading: Promise<void> = Promise.resolve();
    const readNew = async (): Promise<void> => {
      live.push(...(await readAll(live.at(-1)?.seq ?? start)));
    };
    const stop = (replicas[0] as InProcessReplica).app.get(EventFeedService).subscribe(() => {
      reading = reading.then(readNew);
    });
    let seed = 7;
    const random = (): number => {
      seed = (seed * 16_807) % 2_147_483_647;
      return seed;
    };
    const left = Array.from({ length: CHANGES }, (_, n) => n);
    const worker = async (app: Service['app']): Promise<void> => {
      for (let n = left.pop(); n !== undefined; n = left.pop()) {
        await change(app, 1 + (random() % SUBJECTS), () => random() % 12);
      }
    };
    await Promise.all(apps.flatMap((app) => [worker(app), worker(app), worker(app), worker(app)]));
    await until(async () => (await eventsOf().lastSeq()) === start + CHANGES);
    await until(async () => reading.then(() => live.length === CHANGES));
    stop();

    const all = await readAll(start);
    expect(all.map(({ seq }) => seq)).toEqual(Array.from({ length: CHANGES }, (_, n) => start + 1 + n));
    expect(live.map(({ id }) => id)).toEqual(all.map(({ id }) => id));
    for (let subject = 1; subject <= SUBJECTS; subject += 1) {
      const versions = all.filter((event) => event.subject === `workspace/${subject}`).map(versionOf);
      expect(versions).toEqual(versions.map((_, n) => n + 1));
    }
  });

  test('is assigned also when backends end in the middle of it', async () => {
    const before = await eventsOf().lastSeq();
    const [sequence, rows] = [await connect(), await connect()];
    await sequence.query('BEGIN; SELECT FROM event_sequence FOR UPDATE');
    const written: string[] = [];
    for (const app of [...apps, ...apps]) {
      const subject = `workspace/${uuidv7()}`;
      const data = { workspace_id: uuidv7(), changed: [] };
      await app
        .get(DatabaseService)
        .newTransaction((tx) => eventsOf(app).record(tx, [{ type: 'workspace.updated', subject, data }]));
      written.push(subject);
    }
    await rows.query('BEGIN; SELECT FROM events WHERE seq IS NULL FOR UPDATE');
    await sequence.query('ROLLBACK');
    await until(async () => {
      const { rowCount } = await sequence.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND query LIKE 'WITH batch AS%' AND state = 'active' AND pid <> pg_backend_pid()`);
      return (rowCount ?? 0) > 0;
    });
    await rows.query('ROLLBACK');
    await Promise.all([sequence.end(), rows.end()]);
    await until(async () => (await unassigned()) === 0);
    const found = await readAll(before);
    expect(found.map(({ seq }) => seq)).toEqual(found.map((_, n) => before + 1 + n));
    expect(found.map(({ subject }) => subject)).toEqual(written);
  });

  test('is assigned by the poll where nothing wakes the drain, as after the command line', async () => {
    const before = await eventsOf().lastSeq();
    await service.database.query(
      `INSERT INTO events (id, type, subject, data, at) VALUES ($1, 'group.deleted', 'group/1', '{}', now())`,
      [uuidv7()],
    );
    await until(async () => (await eventsOf().lastSeq()) === before + 1);
  });
});

describe('an event', () => {
  test('is rolled back with its cause', async () => {
    await until(async () => (await unassigned()) === 0);
    const before = await eventsOf().lastSeq();
    const data = { workspace_id: uuidv7(), changed: [] };
    const failing = service.app.get(DatabaseService).newTransaction(async (tx) => {
      await eventsOf().record(tx, [{ type: 'workspace.updated', subject: 'workspace/gone', data }]);
      throw new Error('rolled back');
    });
    await expect(failing).rejects.toThrow('rolled back');
    await service.app.get(EventDrainService).drain();
    expect(await eventsOf().lastSeq()).toBe(before);
  });

  test('of a change over HTTP has the id of its audit event, and no names', async () => {
    const before = await eventsOf().lastSeq();
    const admin = await service.asAdmin();
    const { body: group } = await admin.post<{ id: string }>('/api/groups', { name: 'Confidential name' });
    const [event] = await until(async () => {
      const { events } = await eventsOf().after({ after: before, limit: 10, types: ['group.created'] });
      return events.length > 0 && events;
    });
    const { body } = await admin.get<{ audit_events: { id: string; actor: { id: string } }[] }>(
      '/api/audit-events?action=group_created&limit=1',
    );
    expect(event).toMatchObject({
      id: body.audit_events[0]?.id,
      type: 'group.created',
      subject: `group/${group.id}`,
      data: { actor_id: body.audit_events[0]?.actor.id, group_id: group.id },
    });
    expect(JSON.stringify(event)).not.toContain('Confidential');
  });
});

describe('retention', () => {
  test('a month is dropped 30 days after its end, and a reader before it learns that it missed events', async () => {
    await until(async () => (await unassigned()) === 0);
    const last = await eventsOf().lastSeq();
    await service.database.query(`UPDATE events SET at = now() - interval '90 days' WHERE seq <= $1`, [
      last - 2,
    ]);
    await eventsOf().maintain();
    await expect(eventsOf().after({ after: 0, limit: 5 })).rejects.toMatchObject({ code: 'events_expired' });
    await expect(eventsOf().after({ after: last - 3, limit: 5 })).rejects.toMatchObject({
      detail: `Events before ${last - 1} are no longer stored. Continue after ${last - 2}.`,
    });
    const oldest = await eventsOf().after({ after: undefined, limit: 5 });
    expect(oldest.events.map(({ seq }) => seq)).toEqual([last - 1, last]);
    const kept = await eventsOf().after({ after: last - 2, limit: 5 });
    expect(kept.events.map(({ seq }) => seq)).toEqual([last - 1, last]);
  });

  test('a position after the last event is rejected', async () => {
    const last = await eventsOf().lastSeq();
    await expect(eventsOf().after({ after: last + 1, limit: 5 })).rejects.toMatchObject({
      code: 'invalid_request',
    });
  });
});
