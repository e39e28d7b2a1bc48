import type { ExportedRows } from '../../core/http/streamed-export.js';
import type { ReviewRowDto } from './dto/review.dto.js';

const columns = [
  'user_id',
  'user_name',
  'user_email',
  'user_status',
  'resource_type',
  'resource_id',
  'resource_name',
  'workspace_id',
  'workspace_name',
  'role',
  'path',
  'source',
  'granted_by_id',
  'granted_by_name',
  'granted_by_derived_right',
  'granted_at',
  'expires_at',
  'last_token_at',
];

const cellsOf = ({ user, resource, role, path, source, granted_by, ...times }: ReviewRowDto) => ({
  user_id: user.id,
  user_name: user.name,
  user_email: user.email,
  user_status: user.status,
  resource_type: resource.type,
  resource_id: resource.id,
  resource_name: resource.name,
  workspace_id: resource.workspace_id,
  workspace_name: resource.workspace_name,
  role,
  path: path.join(' > '),
  source,
  granted_by_id: granted_by?.id,
  granted_by_name: granted_by?.name,
  granted_by_derived_right: String(times.granted_by_derived_right),
  granted_at: times.granted_at?.toISOString(),
  expires_at: times.expires_at?.toISOString(),
  last_token_at: times.last_token_at?.toISOString(),
});

export const reviewExport = (pages: AsyncGenerator<ReviewRowDto[]>): ExportedRows<ReviewRowDto> => ({
  name: 'access-review',
  pages,
  columns,
  cellsOf,
});
