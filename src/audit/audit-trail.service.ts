import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Clock } from '../common/clock.js';
import { Cursors } from '../common/cursors.js';
import { MAX_PAGE } from '../common/list-query.dto.js';
import { fetchPage, type Page } from '../common/pagination.js';
import { AuditEvent } from './audit-event.entity.js';
import { eventsMatching, peopleIn } from './audit.queries.js';
import { AuditEventDto } from './dto/audit-event.dto.js';
import { auditSortKeys, ListAuditEventsQuery } from './dto/list-audit-events.dto.js';

/** What reads the trail. */
@Injectable()
export class AuditTrail {
  constructor(
    @InjectRepository(AuditEvent) private readonly events: Repository<AuditEvent>,
    private readonly cursors: Cursors,
    private readonly clock: Clock,
  ) {}

  async list({ limit, cursor, sort, ...filters }: ListAuditEventsQuery): Promise<Page<AuditEventDto>> {
    const page = await fetchPage(
      eventsMatching(this.events, filters),
      { limit, cursor, sort, keys: auditSortKeys, filters: { ...filters } },
      this.cursors,
    );
    const people = await peopleIn(this.events, page.items);
    return { ...page, items: page.items.map((event) => AuditEventDto.of(event, people)) };
  }

  /**
   * Everything that matches, page by page: no more than one in memory, and between two of them no transaction and no
   * connection is held, however slowly the client reads. What happens meanwhile is not part of it.
   */
  async *all({ ...query }: ListAuditEventsQuery): AsyncGenerator<AuditEventDto[]> {
    const now = this.clock.now().toISOString();
    const to = query.to !== undefined && new Date(query.to) < new Date(now) ? query.to : now;
    let cursor: string | undefined;
    do {
      const { items, next } = await this.list({ ...query, to, limit: MAX_PAGE, cursor });
      yield items;
      cursor = next;
    } while (cursor !== undefined);
  }
}
