import { Injectable } from '@nestjs/common';
import type { AuditEvent } from '../audit/audit-event.entity.js';
import { AuditEventsService } from '../audit/audit-events.service.js';
import type { ListAuditEventsQuery } from '../audit/dto/list-audit-events.dto.js';
import { Clock } from '../core/clock.js';
import type { Reader } from '../core/lists/cursors.js';
import { MAX_PAGE } from '../core/lists/list-query.dto.js';
import type { Page } from '../core/lists/pagination.js';
import { UsersService } from '../users/users.service.js';
import { AuditEventDto, type People } from './dto/audit-event.dto.js';

/** Reads the audit trail with the current names of the users. Events contain only ids, so the name of an erased user is not available. */
@Injectable()
export class AuditTrailService {
  constructor(
    private readonly events: AuditEventsService,
    private readonly users: UsersService,
    private readonly clock: Clock,
  ) {}

  async list(reader: Reader, query: ListAuditEventsQuery): Promise<Page<AuditEventDto>> {
    const page = await this.events.list(reader, query);
    const people = await this.peopleOf(page.items);
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

  private async peopleOf(events: readonly AuditEvent[]): Promise<People> {
    const ids = events.flatMap(({ actorId, targetType, targetId }) => [
      actorId,
      targetType === 'user' || targetType === 'service_account' ? targetId : null,
    ]);
    const unique = [...new Set(ids.filter((id) => id !== null))];
    if (unique.length === 0) return new Map();
    return new Map((await this.users.describe(unique)).map((person) => [person.id, person]));
  }
}
