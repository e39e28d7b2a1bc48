import type { ExportedRows } from '../core/http/streamed-export.js';
import type { AuditEventDto } from './dto/audit-event.dto.js';

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

export const auditExport = (pages: AsyncGenerator<AuditEventDto[]>): ExportedRows<AuditEventDto> => ({
  name: 'audit-events',
  pages,
  columns,
  cellsOf,
});
