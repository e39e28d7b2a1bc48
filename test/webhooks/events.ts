import { v7 as uuidv7 } from 'uuid';
import { DatabaseService } from '../../src/core/database/database.service.js';
import { EventsService } from '../../src/events/outbox/events.service.js';
import type { Service } from '../support/service.js';
import type { Received } from './receiver.js';

/** Writes numbered events of one workspace, each in its own transaction, and returns their numbers. */
export async function writeEvents(app: Service['app'], from: number, count: number): Promise<number[]> {
  const numbers = Array.from({ length: count }, (_, index) => from + index);
  const workspace_id = uuidv7();
  for (const number of numbers)
    await app.get(DatabaseService).newTransaction((tx) =>
      app.get(EventsService).record(tx, [
        {
          type: 'workspace.updated',
          subject: `workspace/${workspace_id}`,
          data: { workspace_id, changed: [String(number)] },
        },
      ]),
    );
  return numbers;
}

/** The numbers of received events, in order of arrival. */
export const numbersOf = (received: readonly Received[]): number[] =>
  received
    .filter(({ body }) => body.type === 'workspace.updated')
    .map(({ body }) => Number((body.data.changed as string[])[0]));
