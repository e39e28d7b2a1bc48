import { Controller, Get, Query, StreamableFile } from '@nestjs/common';
import { ApiOkResponse } from '#openapi';
import { Caller } from '../../core/http/access.js';
import type { Principal } from '../../core/http/principal.js';
import {
  columnsOf,
  type ExportFormat,
  RequestedExport,
  streamExport,
} from '../../core/http/streamed-export.js';
import { AccessReviewService } from './access-review.service.js';
import { ReviewQueryDto, type ReviewRowDto } from './dto/review.dto.js';

const columns = columnsOf<ReviewRowDto>({
  user_id: ({ user }) => user.id,
  user_name: ({ user }) => user.name,
  user_email: ({ user }) => user.email,
  user_status: ({ user }) => user.status,
  resource_type: ({ resource }) => resource.type,
  resource_id: ({ resource }) => resource.id,
  resource_name: ({ resource }) => resource.name,
  workspace_id: ({ resource }) => resource.workspace_id,
  workspace_name: ({ resource }) => resource.workspace_name,
  role: ({ role }) => role,
  path: ({ path }) => path.join(' > '),
  source: ({ source }) => source,
  granted_by_id: ({ granted_by }) => granted_by?.id,
  granted_by_name: ({ granted_by }) => granted_by?.name,
  granted_by_derived_right: ({ granted_by_derived_right }) => String(granted_by_derived_right),
  granted_at: ({ granted_at }) => granted_at?.toISOString(),
  expires_at: ({ expires_at }) => expires_at?.toISOString(),
  last_token_at: ({ last_token_at }) => last_token_at?.toISOString(),
});

const file = { schema: { type: 'string' } };

@Controller('api/access/review')
export class AccessReviewController {
  constructor(private readonly review: AccessReviewService) {}

  /**
   * Reviews access. Streams a line for each active grant of each person, with the groups that lead to it, who granted it
   * and when, its expiry and the last embed token. `Accept` selects NDJSON (the default) or CSV. Managers review their own
   * workspaces.
   */
  @Get()
  @ApiOkResponse({ content: { 'application/x-ndjson': file, 'text/csv': file } })
  async read(
    @Caller() caller: Principal,
    @Query() query: ReviewQueryDto,
    @RequestedExport() format: ExportFormat | null,
  ): Promise<StreamableFile> {
    return streamExport(
      { name: 'access-review', pages: this.review.rowsFor(caller, query), ...columns },
      format ?? 'ndjson',
    );
  }
}
