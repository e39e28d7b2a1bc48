import { Injectable } from '@nestjs/common';
import type { AuditEvent, AuditTargetType } from '../platform/audit/audit-event.entity.js';
import { type AuditFilter, listEvents } from '../platform/audit/audit.queries.js';
import type { ListAuditEventsQuery } from '../platform/audit/dto/list-audit-events.dto.js';
import { Clock } from '../core/clock.js';
import { DatabaseService } from '../core/database/database.service.js';
import { TimesService } from '../core/database/times.service.js';
import { Cursors, type Reader } from '../core/lists/cursors.js';
import { MAX_PAGE } from '../core/lists/list-query.dto.js';
import type { Page } from '../core/lists/pagination.js';
import { findGroups } from '../access/groups/groups.queries.js';
import { addresseesOf } from '../invitations/invitations.queries.js';
import { describeUsers } from '../users/users.queries.js';
import { AuditEventDto, type AuditNames } from './dto/audit-event.dto.js';

/** Reads the audit trail with the current names of users, groups and invitees. Events contain only ids, so the name of an erased user is not available. */
@Injectable()
export class AuditTrailService {
  constructor(
    private readonly database: DatabaseService,
    private readonly clock: Clock,
    private readonly times: TimesService,
    private readonly cursors: Cursors,
  ) {}

  async list(reader: Reader, query: ListAuditEventsQuery): Promise<Page<AuditEventDto>> {
    return this.page(reader, await this.filterOf(query));
  }

  private async page(reader: Reader, query: AuditFilter): Promise<Page<AuditEventDto>> {
    const page = await listEvents(this.database.manager, this.cursors, reader, query);
    const names = await this.namesOf(page.items);
    return { ...page, items: page.items.map((event) => AuditEventDto.from(event, names)) };
  }

  /**
   * Yields all matching events, page by page. At most one page is in memory, and no transaction or connection is held
   * between pages, however slowly the client reads. Events after the start are not included.
   */
  async *all(reader: Reader, query: ListAuditEventsQuery): AsyncGenerator<AuditEventDto[]> {
    const now = this.clock.now();
    const filter = await this.filterOf(query);
    const to = filter.to !== undefined && filter.to < now ? filter.to : now;
    let cursor: string | undefined;
    do {
      const { items, next } = await this.page(reader, { ...filter, to, limit: MAX_PAGE, cursor });
      yield items;
      cursor = next;
    } while (cursor !== undefined);
  }

  private async filterOf({ from, to, ...query }: ListAuditEventsQuery): Promise<AuditFilter> {
    return {
      ...query,
      ...(from !== undefined && { from: await this.times.startOf(from) }),
      ...(to !== undefined && { to: await this.times.endOf(to) }),
    };
  }

  private async namesOf(events: readonly AuditEvent[]): Promise<AuditNames> {
    const targets = (...types: AuditTargetType[]): string[] =>
      events.flatMap(({ targetType, targetId }) =>
        targetType !== null && types.includes(targetType) ? (targetId ?? []) : [],
      );
    const actors = events.flatMap(({ actorId }) => actorId ?? []);
    const users = [...new Set([...actors, ...targets('user', 'service_account')])];
    const groups = [...new Set(targets('group'))];
    const people = users.length === 0 ? [] : await describeUsers(this.database.manager, users);
    const named = groups.length === 0 ? [] : await findGroups(this.database.manager, groups);
    const invitations = [...new Set(targets('invitation'))];
    const invited = invitations.length === 0 ? [] : await addresseesOf(this.database.manager, invitations);
    return {
      people: new Map(people.map((person) => [person.id, person])),
      groups: new Map(named.map(({ id, name }) => [id, name])),
      invitees: new Map(invited.map(({ id, email }) => [id, email])),
    };
  }
}
