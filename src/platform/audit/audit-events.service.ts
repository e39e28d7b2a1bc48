import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Cursors, type Reader } from '../../core/lists/cursors.js';
import { listPage, type Page, selectedBy } from '../../core/lists/pagination.js';
import { AuditEvent } from './audit-event.entity.js';
import { type AuditFilter, selectEvents } from './audit.queries.js';
import { auditSortKeys } from './dto/list-audit-events.dto.js';

/** Reads recorded events. They contain ids only: `audit-trail` adds the current names. */
@Injectable()
export class AuditEventsService {
  constructor(
    @InjectRepository(AuditEvent) private readonly events: Repository<AuditEvent>,
    private readonly cursors: Cursors,
  ) {}

  list(reader: Reader, { limit, cursor, sort, ...filters }: AuditFilter): Promise<Page<AuditEvent>> {
    return listPage(
      selectedBy(selectEvents(this.events, filters)),
      { reader, limit, cursor, sort, keys: auditSortKeys, filters: { ...filters } },
      this.cursors,
    );
  }
}
