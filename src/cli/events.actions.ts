import { setTimeout as sleep } from 'node:timers/promises';
import type { INestApplicationContext } from '@nestjs/common';
import type { Command } from 'commander';
import { withOwnDeadline } from '../core/http/request-context.js';
import { databaseProblem } from '../core/problems/database-problem.js';
import { EventDto, ListEventsQuery } from '../events/stream/dto/event.dto.js';
import { EventDrainService } from '../events/outbox/event-drain.service.js';
import { EventsService } from '../events/outbox/events.service.js';
import { print } from './output.js';
import { validated, withService } from './service.js';

const POLL_INTERVAL_MS = 500;

interface Options {
  after?: string;
  type?: string;
  follow: boolean;
  json: boolean;
}

const lineOf = ({ seq, at, type, subject, data }: EventDto): string =>
  `${seq}  ${at.toISOString()}  ${type}  ${subject}  ${JSON.stringify(data)}`;

async function printEvents(
  app: INestApplicationContext,
  { follow, json, ...given }: Options,
  signal: AbortSignal,
): Promise<void> {
  const { after, type, limit } = await validated({ ...given }, ListEventsQuery);
  const events = app.get(EventsService);
  const drain = app.get(EventDrainService);
  // In case no service is running.
  await drain.drain();
  let position = after ?? (follow ? await withOwnDeadline(() => events.lastSeq()) : undefined);
  /** Prints the next events. Returns whether more are stored. */
  const printNext = async (): Promise<boolean> => {
    const batch = await withOwnDeadline(() => events.after({ after: position, limit, types: type }));
    for (const event of batch.events.map((each) => EventDto.from(each))) print(json, event, lineOf(event));
    position = batch.next;
    return batch.isMore;
  };
  if (!follow) {
    while (!signal.aborted && (await printNext()));
    return;
  }
  const connection = new ConnectionNotices();
  while (!signal.aborted) {
    const isMore = await connection.during(printNext);
    if (isMore === true) continue;
    await sleep(POLL_INTERVAL_MS, undefined, { signal }).catch(() => undefined);
    if (isMore !== undefined) await connection.during(() => drain.drain());
  }
}

/** Reports on stderr when the database becomes unreachable, and when it responds again. */
class ConnectionNotices {
  private isLost = false;

  /** Undefined while the database is unreachable. Throws any other error. */
  async during<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      const result = await work();
      if (this.isLost) process.stderr.write('The database responds again.\n');
      this.isLost = false;
      return result;
    } catch (error) {
      const { status } = databaseProblem(error)?.entry ?? {};
      if (status !== 503) throw error;
      if (!this.isLost) process.stderr.write('The database does not respond. Waiting for it…\n');
      this.isLost = true;
      return undefined;
    }
  }
}

export const tail = (command: Command): Promise<void> =>
  withService(async (app) => {
    const stop = new AbortController();
    for (const each of ['SIGINT', 'SIGTERM'] as const) process.once(each, () => stop.abort());
    await printEvents(app, command.optsWithGlobals<Options>(), stop.signal);
  });
