import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, In, Repository } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { AuditDenialsService } from '../../platform/audit/audit-denials.service.js';
import { DatabaseService } from '../../core/database/database.service.js';
import { lockName } from '../../core/database/locks.js';
import type { Principal } from '../../core/http/principal.js';
import { Cursors } from '../../core/lists/cursors.js';
import { listPage, type Page, selectedBy } from '../../core/lists/pagination.js';
import { Problem } from '../../core/problems/problem.js';
import { ExportOrdersService } from './export-orders.service.js';
import { ExportStatesService } from './export-states.service.js';
import { type CreateExportDto, exportSortKeys, type ListExportsQuery } from './dto/export.dto.js';
import { ExportNotFound, TooManyExports } from './exports.errors.js';
import { ReportExport } from './report-export.entity.js';

/** For each person; together with the queue of the capacity it prevents that one person blocks all others. */
const MAX_ACTIVE = 10;

/** The exports of a person. An export of someone else is not found. */
@Injectable()
export class ExportsService {
  constructor(
    @InjectRepository(ReportExport) private readonly exports: Repository<ReportExport>,
    private readonly database: DatabaseService,
    private readonly orders: ExportOrdersService,
    private readonly states: ExportStatesService,
    private readonly denials: AuditDenialsService,
    private readonly cursors: Cursors,
  ) {}

  list(caller: Principal, page: ListExportsQuery): Promise<Page<ReportExport>> {
    const query = this.exports
      .createQueryBuilder('export')
      .where('export.userId = :userId', { userId: caller.id });
    return listPage(selectedBy(query), { reader: caller, ...page, keys: exportSortKeys }, this.cursors);
  }

  /** Throws ExportNotFound. */
  async get({ id: userId }: Principal, id: string): Promise<ReportExport> {
    const row = await this.exports.findOneBy({ id, userId });
    if (row === null) throw new ExportNotFound();
    return row;
  }

  /** Throws the errors of `ExportOrdersService.validate`, and TooManyExports. */
  async create(caller: Principal, reportId: string, input: CreateExportDto): Promise<ReportExport> {
    try {
      const order = await this.orders.validate(caller, reportId, input);
      return await this.database.transaction((tx) => this.insert(tx, caller, { ...order, id: uuidv7() }));
    } catch (error) {
      if (error instanceof Problem && denialCodes.has(error.code))
        await this.recordDenial(caller, reportId, error);
      throw error;
    }
  }

  /** Cancels an export, or deletes its file. Does nothing for one that has ended without a file. Throws ExportNotFound. */
  async remove(caller: Principal, id: string): Promise<void> {
    const row = await this.get(caller, id);
    await this.database.transaction(async (tx) => {
      const isCancelled = await this.states.cancel(tx, row);
      if (!isCancelled) await this.states.expire(tx, id);
    });
  }

  private async insert(
    tx: EntityManager,
    { id: userId }: Principal,
    row: ReportExport,
  ): Promise<ReportExport> {
    // Serializes the requests of one person, so that the limit holds.
    await lockName(tx, `exports of ${userId}`);
    const running = await tx.countBy(ReportExport, { userId, status: In(['queued', 'running']) });
    if (running >= MAX_ACTIVE) throw new TooManyExports(MAX_ACTIVE);
    await tx.insert(ReportExport, row);
    await this.states.enqueue(tx, row.id);
    return row;
  }

  /** Repetitions become one event. */
  private recordDenial({ id }: Principal, reportId: string, problem: Problem): Promise<void> {
    return this.denials.recordOwn(problem, {
      action: 'report_export_denied',
      actorId: id,
      target: { type: 'report', id: reportId },
      details: { code: problem.code },
    });
  }
}

const denialCodes = new Set<string>(['access_denied', 'embed_access_revoked', 'power_bi_identity_required']);
