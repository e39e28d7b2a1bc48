import { Controller, Get, Query, StreamableFile } from '@nestjs/common';
import { ApiOkResponse } from '#openapi';
import { Caller } from '../../core/http/access.js';
import type { Principal } from '../../core/http/principal.js';
import { type ExportFormat, RequestedExport, streamExport } from '../../core/http/streamed-export.js';
import { AccessReviewService } from './access-review.service.js';
import { ReviewQueryDto } from './dto/review.dto.js';
import { reviewExport } from './review-export.js';

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
    return streamExport(reviewExport(this.review.rowsFor(caller, query)), format ?? 'ndjson');
  }
}
