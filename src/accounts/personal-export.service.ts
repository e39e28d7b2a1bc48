import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AuditService } from '../platform/audit/audit.service.js';
import { Clock } from '../core/clock.js';
import { DatabaseService } from '../core/database/database.service.js';
import { rowsInBatches, SnapshotService } from '../core/database/snapshot.service.js';
import type { Principal } from '../core/http/principal.js';
import { getPerson } from '../users/users.queries.js';
import { personalDataRegistry } from './personal-data.js';

@Injectable()
export class PersonalExportService {
  constructor(
    private readonly database: DatabaseService,
    private readonly snapshots: SnapshotService,
    private readonly audit: AuditService,
    private readonly clock: Clock,
  ) {}

  /**
   * Yields a JSON document with all registered personal data of a person, as of one time. The export is in the audit trail
   * before the first byte, unless only the headers are sent. Throws UserNotFound, also for service accounts and erased users.
   */
  async *export(
    caller: Pick<Principal, 'id'>,
    id: string,
    { onlyHeaders = false } = {},
  ): AsyncGenerator<string> {
    await this.database.transaction(async (tx) => {
      await getPerson(tx, id);
      if (onlyHeaders) return;
      await this.audit.record(tx, {
        action: 'personal_data_exported',
        actorId: caller.id,
        target: { type: 'user', id },
      });
    });
    if (onlyHeaders) return;
    yield* this.snapshots.read((tx) => this.write(tx, id));
  }

  private async *write(tx: EntityManager, id: string): AsyncGenerator<string> {
    const person = await getPerson(tx, id);
    const head = JSON.stringify({ user_id: id, exported_at: this.clock.now() }).slice(0, -1);
    yield `${head},"data":{`;
    let separator = '\n';
    for (const { export: exported } of personalDataRegistry) {
      if ('omits' in exported) continue;
      yield `${separator}"${exported.section}":[`;
      yield* lines(rowsInBatches(tx, await exported.rows(person, tx)));
      yield ']';
      separator = ',\n';
    }
    yield '\n}}\n';
  }
}

/** The rows as elements of a JSON array, one line each. */
async function* lines(batches: AsyncGenerator<object[]>): AsyncGenerator<string> {
  let separator = '\n';
  for await (const rows of batches) {
    yield separator + rows.map((row) => JSON.stringify(row)).join(',\n');
    separator = ',\n';
  }
}
