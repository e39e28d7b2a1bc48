import { Controller, Get, Query, StreamableFile } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, getSchemaPath } from '#openapi';
import { AdminOnly, Caller } from '../core/http/access.js';
import { Links, PageLinks } from '../core/lists/pagination.js';
import type { Principal } from '../core/http/principal.js';
import {
  type ExportFormat,
  RequestedExport,
  streamExport,
  type ExportedRows,
} from '../core/http/streamed-export.js';
import { AuditTrailService } from './audit-trail.service.js';
import { AuditEventListDto, type AuditEventDto } from './dto/audit-event.dto.js';
import { ListAuditEventsQuery } from '../platform/audit/dto/list-audit-events.dto.js';

const columns = [
  'id',
  'at',
  'action',
  'outcome',
  'actor_type',
  'actor_id',
  'actor_name',
  'actor_email',
  'target_type',
  'target_id',
  'target_name',
  'ip',
  'user_agent',
  'request_id',
  'details',
];

const cellsOf = ({ actor, target, details, ...event }: AuditEventDto): Record<string, unknown> => ({
  ...event,
  at: event.at.toISOString(),
  actor_type: actor?.type,
  actor_id: actor?.id,
  actor_name: actor?.name,
  actor_email: actor?.email,
  target_type: target?.type,
  target_id: target?.id,
  target_name: target?.name,
  details: JSON.stringify(details),
});

const auditExport = (pages: AsyncGenerator<AuditEventDto[]>): ExportedRows<AuditEventDto> => ({
  name: 'audit-events',
  pages,
  columns,
  cellsOf,
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
      : streamExport(auditExport(this.trail.all(caller, query)), format);
  }
}
