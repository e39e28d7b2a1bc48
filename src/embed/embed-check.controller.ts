import { Controller, Get, Query } from '@nestjs/common';
import { PathId } from '../core/validation/path-id.js';
import { Caller } from '../core/http/access.js';
import { RequestAbortSignal } from '../core/http/request-abort-signal.js';
import type { Principal } from '../core/http/principal.js';
import { EmbedCheckDto, EmbedCheckQuery } from './dto/embed-check.dto.js';
import { EmbedCheckService } from './embed-check.service.js';

@Controller('api/reports')
export class EmbedCheckController {
  constructor(private readonly checking: EmbedCheckService) {}

  /**
   * Checks whether a report can be embedded, and why not. Available to admins and to managers of the report's
   * workspace.
   */
  @Get(':id/embed-check')
  check(
    @Caller() caller: Principal,
    @PathId() id: string,
    @Query() query: EmbedCheckQuery,
    @RequestAbortSignal() gone: AbortSignal,
  ): Promise<EmbedCheckDto> {
    return this.checking.check(caller, id, query, gone);
  }
}
