import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Clock } from '../core/clock.js';
import { Cursors, type Reader } from '../core/lists/cursors.js';
import { MAX_PAGE } from '../core/lists/list-query.dto.js';
import { listPage, type Page, selectedBy } from '../core/lists/pagination.js';
import { AuditEvent } from './audit-event.entity.js';
import { selectEvents, findActors } from './audit.queries.js';
import { AuditEventDto } from './dto/audit-event.dto.js';
import { auditSortKeys, ListAuditEventsQuery } from './dto/list-audit-events.dto.js';

/** Reads the audit trail. */
@Injectable()
export class AuditTrailService {
  constructor(
    @InjectRepository(AuditEvent) private readonly events: Repository<AuditEvent>,
    private readonly cursors: Cursors,
    private readonly clock: Clock,
  ) {}

  async list(
    reader: Reader,
    { limit, cursor, sort, ...filters }: ListAuditEventsQuery,
  ): Promise<Page<AuditEventDto>> {
    const page = await listPage(
      selectedBy(selectEvents(this.events, filters)),
      { reader, limit, cursor, sort, keys: auditSortKeys, filters: { ...filters } },
      this.cursors,
    );
    const people = await findActors(this.events, page.items);
    return { ...page, items: page.items.map((event) => AuditEventDto.from(event, people)) };
  }

  /**
   * Yields all matching events, page by page. At most one page is in memory, and no transaction or connection is held
   * between pages, however slowly the client reads. Events after the start are not included.
   */
  async *all(reader: Reader, query: ListAuditEventsQuery): AsyncGenerator<AuditEventDto[]> {
    const now = this.clock.now();
    const to = query.to !== undefined && query.to < now ? query.to : now;
    let cursor: string | undefined;
    do {
      const { items, next } = await this.list(reader, { ...query, to, limit: MAX_PAGE, cursor });
      yield items;
      cursor = next;
    } while (cursor !== undefined);
  }
}
