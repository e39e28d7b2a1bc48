import { Injectable } from '@nestjs/common';
import { MoreThanOrEqual } from 'typeorm';
import { Sealer } from '../../core/crypto/sealer.js';
import { DatabaseService } from '../../core/database/database.service.js';
import { ExportChunk } from './report-export.entity.js';

const PURPOSE = 'export';
const CHUNK_BYTES = 1024 * 1024;

/** The files of exports: encrypted parts in the database, so that every replica has them and none is on a disk. */
@Injectable()
export class ExportStoreService {
  constructor(
    private readonly database: DatabaseService,
    private readonly sealer: Sealer,
  ) {}

  /** Replaces the file of an export. Returns its size in bytes. */
  async write(exportId: string, body: AsyncIterable<Buffer>): Promise<number> {
    const { manager } = this.database;
    let position = 0;
    let size = 0;
    for await (const chunk of inChunks(body)) {
      const sealed = this.sealer.seal(PURPOSE, chunk, contextOf(exportId, position));
      // Replaces a part that an interrupted attempt has written.
      await manager.upsert(ExportChunk, { exportId, position, sealed }, ['exportId', 'position']);
      position += 1;
      size += chunk.length;
    }
    await manager.delete(ExportChunk, { exportId, position: MoreThanOrEqual(position) });
    return size;
  }

  /** The parts of a file of this size, in order. Throws when one is missing or its key has been retired. */
  async *read(exportId: string, size: number): AsyncGenerator<Buffer> {
    let left = size;
    for (let position = 0; left > 0; position += 1) {
      const stored = await this.database.manager.findOneBy(ExportChunk, { exportId, position });
      const chunk = stored && this.sealer.openBytes(PURPOSE, stored.sealed, contextOf(exportId, position));
      if (chunk == null) throw new Error('a part of the exported file is missing or unreadable');
      left -= chunk.length;
      yield chunk;
    }
  }
}

const contextOf = (exportId: string, position: number): string => `${exportId}:${position}`;

/** Equal parts, however the network delivers them: two downloads of one file write the same. */
async function* inChunks(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let pending: Buffer[] = [];
  let missing = CHUNK_BYTES;
  for await (const part of body) {
    let rest = part;
    for (; rest.length >= missing; missing = CHUNK_BYTES) {
      yield Buffer.concat([...pending, rest.subarray(0, missing)]);
      rest = rest.subarray(missing);
      pending = [];
    }
    pending.push(rest);
    missing -= rest.length;
  }
  if (missing < CHUNK_BYTES) yield Buffer.concat(pending);
}
