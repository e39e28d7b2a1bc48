import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { Injectable, StreamableFile } from '@nestjs/common';
import type { Response } from 'express';
import { AuditService } from '../../platform/audit/audit.service.js';
import { Clock } from '../../core/clock.js';
import { hashOfSecret } from '../../core/crypto/link-secrets.js';
import { DatabaseService } from '../../core/database/database.service.js';
import type { Principal } from '../../core/http/principal.js';
import type { ExportTicketDto } from './dto/export.dto.js';
import { ExportTicket, ReportExport } from './report-export.entity.js';
import { ExportRightsService, requireSameIdentity } from './export-rights.service.js';
import { ExportStatesService } from './export-states.service.js';
import { ExportStoreService } from './export-store.service.js';
import {
  ExportExpired,
  ExportIdentityChanged,
  ExportLinkInvalid,
  ExportNotFound,
  ExportNotReady,
  TooManyDownloads,
} from './exports.errors.js';
import { deleteOldTickets } from './exports.queries.js';
import { attachment } from './file-name.js';
import { mediaTypeOf } from './formats.js';

const TICKET_SECONDS = 60;
/** For each export; a new ticket replaces the oldest. */
const MAX_TICKETS = 5;
/** At the same time, of one person on this replica: a slow download keeps its place among the requests in progress. */
const MAX_DOWNLOADS = 5;
/** 256 bits in base64url. */
const ticketSecret = /^[A-Za-z0-9_-]{43}$/;
export const TICKET_PATH = '/exports/file';

/** Downloads of exported files. The right is checked before each, and before each further part. */
@Injectable()
export class ExportFilesService {
  /** The ids of the people who download a file now. */
  private readonly downloading = new Map<Response, string>();

  constructor(
    private readonly database: DatabaseService,
    private readonly rights: ExportRightsService,
    private readonly store: ExportStoreService,
    private readonly states: ExportStatesService,
    private readonly audit: AuditService,
    private readonly clock: Clock,
  ) {}

  /** Throws TooManyDownloads and the errors of `require`. */
  async open({ id: userId }: Principal, id: string, response: Response): Promise<StreamableFile> {
    const row = await this.require({ id, userId });
    this.count(row.userId, response);
    return this.stream(row, response);
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

  /** Uses up the ticket, unless the download cannot begin. Throws ExportLinkInvalid, TooManyDownloads and the errors of `require`. */
  async redeem(secret: string, response: Response): Promise<StreamableFile> {
    if (!ticketSecret.test(secret)) throw new ExportLinkInvalid();
    const { manager } = this.database;
    const hash = hashOfSecret(secret);
    const ticket = await manager.findOneBy(ExportTicket, { hash });
    if (ticket === null || ticket.expiresAt <= this.clock.now()) throw new ExportLinkInvalid();
    const row = await this.require({ id: ticket.exportId });
    this.count(row.userId, response);
    const { affected } = await manager.delete(ExportTicket, { hash });
    if (affected !== 1) throw new ExportLinkInvalid();
    return this.stream(row, response);
  }

  /**
   * Throws ExportNotFound, ExportExpired, ExportNotReady, ExportIdentityChanged, and the errors of
   * `ExportRightsService.require`.
   */
  private async require(where: { id: string; userId?: string }): Promise<ReportExport> {
    const row = await this.database.manager.findOneBy(ReportExport, where);
    if (row === null) throw new ExportNotFound();
    const right = await this.rights.require(row.userId, row.reportId);
    const { status, expiresAt } = row;
    const isOver = status === 'succeeded' && (expiresAt === null || expiresAt <= this.clock.now());
    if (status === 'expired' || isOver) throw new ExportExpired();
    if (status !== 'succeeded') throw new ExportNotReady(status);
    try {
      requireSameIdentity(row, right);
    } catch (error) {
      if (error instanceof ExportIdentityChanged)
        await this.database.transaction((tx) => this.states.expire(tx, row.id));
      throw error;
    }
    return row;
  }

  /** Reads the first part before the response begins, so that a failure there has its own status. */
  private async stream(row: ReportExport, response: Response): Promise<StreamableFile> {
    const size = Number(row.size);
    const parts = this.store.read(row.id, size);
    const first = await parts.next();
    if (response.req.method !== 'HEAD') await this.recordDownload(row);
    const recheck = async (): Promise<void> =>
      requireSameIdentity(row, await this.rights.require(row.userId, row.reportId));
    const body = Readable.from(resumed(first, parts, recheck), { highWaterMark: 1 });
    const options = {
      type: mediaTypeOf(row.fileName),
      disposition: attachment(row.fileName),
      length: size,
    };
    // A broken connection shows that the file is truncated.
    return new StreamableFile(body, options).setErrorHandler((_error, response) => response.destroy?.());
  }

  private count(userId: string, response: Response): void {
    const own = [...this.downloading.values()].filter((id) => id === userId);
    if (own.length >= MAX_DOWNLOADS) throw new TooManyDownloads(MAX_DOWNLOADS);
    const { socket } = response.req;
    if (response.closed || socket.destroyed) return;
    this.downloading.set(response, userId);
    // With pipelining, a response that waits for another one emits no `close` when the connection ends.
    const release = (): void => {
      this.downloading.delete(response);
      socket.off('close', release);
    };
    response.once('close', release);
    socket.once('close', release);
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

async function* resumed(
  first: IteratorResult<Buffer>,
  rest: AsyncGenerator<Buffer>,
  recheck: () => Promise<void>,
): AsyncGenerator<Buffer> {
  if (first.done !== true) yield first.value;
  for await (const part of rest) {
    await recheck();
    yield part;
  }
}
