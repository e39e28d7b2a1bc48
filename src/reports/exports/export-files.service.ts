import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { Injectable, StreamableFile } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { AuditService } from '../../platform/audit/audit.service.js';
import { Clock } from '../../core/clock.js';
import { hashOfSecret } from '../../core/crypto/link-secrets.js';
import { DatabaseService } from '../../core/database/database.service.js';
import type { Principal } from '../../core/http/principal.js';
import type { ExportTicketDto } from './dto/export.dto.js';
import { ExportTicket } from './export-ticket.entity.js';
import { ExportRightsService, requireSameIdentity } from './export-rights.service.js';
import { ExportStoreService } from './export-store.service.js';
import {
  ExportExpired,
  ExportIdentityChanged,
  ExportLinkInvalid,
  ExportNotFound,
  ExportNotReady,
} from './exports.errors.js';
import { deleteOldTickets } from './exports.queries.js';
import { attachment } from './file-name.js';
import { mediaTypeOf } from './formats.js';
import { ReportExport } from './report-export.entity.js';

const TICKET_SECONDS = 60;
/** For each export; a new ticket replaces the oldest. */
const MAX_TICKETS = 5;
export const TICKET_PATH = '/exports/file';

/** Downloads of exported files. The right is checked before each. */
@Injectable()
export class ExportFilesService {
  constructor(
    @InjectRepository(ReportExport) private readonly exports: Repository<ReportExport>,
    private readonly database: DatabaseService,
    private readonly rights: ExportRightsService,
    private readonly store: ExportStoreService,
    private readonly audit: AuditService,
    private readonly clock: Clock,
  ) {}

  /** Throws the errors of `require`. */
  async open({ id: userId }: Principal, id: string): Promise<StreamableFile> {
    return this.stream(await this.require({ id, userId }));
  }

  /** Creates a link that is valid once, for 60 seconds. Throws the errors of `require`. */
  async createTicket({ id: userId }: Principal, id: string): Promise<ExportTicketDto> {
    const row = await this.require({ id, userId });
    const secret = randomBytes(32).toString('base64url');
    const expiresAt = this.clock.in(TICKET_SECONDS);
    await this.database.transaction(async (tx) => {
      await tx.insert(ExportTicket, { hash: hashOfSecret(secret), exportId: row.id, expiresAt });
      await deleteOldTickets(tx, row.id, MAX_TICKETS);
    });
    return { url: `${TICKET_PATH}?ticket=${secret}`, expires_at: expiresAt };
  }

  /** Uses up the ticket. Throws ExportLinkInvalid and the errors of `require`. */
  async redeem(secret: string): Promise<StreamableFile> {
    const { raw } = (await this.database.manager
      .createQueryBuilder()
      .delete()
      .from(ExportTicket)
      .where('hash = :hash', { hash: hashOfSecret(secret) })
      .returning(['exportId', 'expiresAt'])
      .execute()) as { raw: { export_id: string; expires_at: Date }[] };
    const [ticket] = raw;
    if (ticket === undefined || ticket.expires_at <= this.clock.now()) throw new ExportLinkInvalid();
    return this.stream(await this.require({ id: ticket.export_id }));
  }

  /**
   * Throws ExportNotFound, ExportExpired, ExportNotReady, ExportIdentityChanged, and the errors of
   * `ExportRightsService.require`.
   */
  private async require(where: { id: string; userId?: string }): Promise<ReportExport> {
    const row = await this.exports.findOneBy(where);
    if (row === null) throw new ExportNotFound();
    const right = await this.rights.require(row.userId, row.reportId);
    const { status, expiresAt } = row;
    const isOver = status === 'succeeded' && (expiresAt === null || expiresAt <= this.clock.now());
    if (status === 'expired' || isOver) throw new ExportExpired();
    if (status !== 'succeeded') throw new ExportNotReady(status);
    try {
      requireSameIdentity(row, right);
    } catch (error) {
      if (error instanceof ExportIdentityChanged) await this.expire(row.id);
      throw error;
    }
    return row;
  }

  private expire(id: string): Promise<void> {
    return this.database.transaction(async (tx) => {
      await tx.update(ReportExport, { id, status: 'succeeded' }, { status: 'expired' });
      await this.store.remove(tx, id);
    });
  }

  /** Reads the first part before the response begins, so that a failure there has its own status. */
  private async stream(row: ReportExport): Promise<StreamableFile> {
    const size = Number(row.size);
    const parts = this.store.read(row.id, size);
    const first = await parts.next();
    await this.recordDownload(row);
    const body = Readable.from(resumed(first, parts), { highWaterMark: 1 });
    const options = {
      type: mediaTypeOf(row.fileName),
      disposition: attachment(row.fileName),
      length: size,
    };
    // A broken connection shows that the file is truncated.
    return new StreamableFile(body, options).setErrorHandler((_error, response) => response.destroy?.());
  }

  private recordDownload({ id, userId, reportId, format }: ReportExport): Promise<void> {
    return this.database.transaction((tx) =>
      this.audit.record(tx, {
        action: 'report_export_downloaded',
        actorId: userId,
        target: { type: 'report', id: reportId },
        details: { export_id: id, format },
      }),
    );
  }
}

async function* resumed(first: IteratorResult<Buffer>, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  if (first.done !== true) yield first.value;
  yield* rest;
}
