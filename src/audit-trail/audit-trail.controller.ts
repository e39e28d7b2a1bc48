import { Controller, Get, Query, StreamableFile } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, getSchemaPath } from '#openapi';
import { AdminOnly, Caller } from '../core/http/access.js';
import { Links, PageLinks } from '../core/lists/pagination.js';
import type { Principal } from '../core/http/principal.js';
import { columnsOf, type ExportFormat, RequestedExport, streamExport } from '../core/http/streamed-export.js';
import { AuditTrailService } from './audit-trail.service.js';
import { AuditEventListDto, type AuditEventDto } from './dto/audit-event.dto.js';
import { ListAuditEventsQuery } from '../platform/audit/dto/list-audit-events.dto.js';

const columns = columnsOf<AuditEventDto>({
  id: ({ id }) => id,
  at: ({ at }) => at.toISOString(),
  action: ({ action }) => action,
  outcome: ({ outcome }) => outcome,
  actor_type: ({ actor }) => actor?.type,
  actor_id: ({ actor }) => actor?.id,
  actor_name: ({ actor }) => actor?.name,
  actor_email: ({ actor }) => actor?.email,
  target_type: ({ target }) => target?.type,
  target_id: ({ target }) => target?.id,
  target_name: ({ target }) => target?.name,
  ip: ({ ip }) => ip,
  user_agent: ({ user_agent }) => user_agent,
  request_id: ({ request_id }) => request_id,
  details: ({ details }) => JSON.stringify(details),
});

const page = { schema: { $ref: getSchemaPath(AuditEventListDto) } };
const file = { schema: { type: 'string' } };

@Controller('api/audit-events')
@AdminOnly()
@ApiExtraModels(AuditEventListDto)
export class AuditTrailController {
  constructor(private readonly trail: AuditTrailService) {}

  /**
   * Lists audit events, newest first. With `Accept: application/x-ndjson` or `text/csv`, returns all matching events as
   * a file, regardless of `limit` and `cursor`.
   */
  @Get()
  @ApiOkResponse({ content: { 'application/json': page, 'application/x-ndjson': file, 'text/csv': file } })
  async list(
    @Caller() caller: Principal,
    @Query() query: ListAuditEventsQuery,
    @RequestedExport() format: ExportFormat | null,
    @Links() links: PageLinks,
  ): Promise<AuditEventListDto | StreamableFile> {
    return format === null
      ? { audit_events: links.from(await this.trail.list(caller, query)) }
      : streamExport({ name: 'audit-events', pages: this.trail.all(caller, query), ...columns }, format);
  }
}
