import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository, type SelectQueryBuilder } from 'typeorm';
import { Clock } from '../common/clock.js';
import { Cursors } from '../common/cursors.js';
import { fetchPage, likePattern, type Page } from '../common/pagination.js';
import type { Principal } from '../common/principal.js';
import { onlyVisible } from '../workspaces/workspaces.queries.js';
import { ListReportsQuery, reportSortKeys } from './dto/list-reports.dto.js';
import { Report } from './report.entity.js';
import { ReportNotFound } from './reports.errors.js';

@Injectable()
export class ReportsService {
  constructor(
    @InjectRepository(Report) private readonly reports: Repository<Report>,
    private readonly cursors: Cursors,
    private readonly clock: Clock,
  ) {}

  list(caller: Principal, { workspace_id, q, ...page }: ListReportsQuery): Promise<Page<Report>> {
    const query = this.visibleTo(caller);
    if (workspace_id !== undefined) query.andWhere('report.workspaceId = :workspace_id', { workspace_id });
    if (q !== undefined) query.andWhere('report.name ILIKE :q', { q: likePattern(q) });
    return fetchPage(query, { ...page, q, keys: reportSortKeys, filters: { workspace_id } }, this.cursors);
  }

  /** Throws ReportNotFound, also for one that is not the caller's. */
  async get(caller: Principal, id: string): Promise<Report> {
    const report = await this.visibleTo(caller).andWhere('report.id = :id', { id }).getOne();
    if (report === null) throw new ReportNotFound();
    return report;
  }

  private visibleTo(caller: Principal): SelectQueryBuilder<Report> {
    const query = this.reports.createQueryBuilder('report').where('report.retiredAt IS NULL');
    return onlyVisible(query, 'report.workspaceId', caller, this.clock.now());
  }
}
