import { Controller, Get, Param, Query } from '@nestjs/common';
import { Caller } from '../common/access.js';
import { CallerGone } from '../common/caller-gone.js';
import { IdParam } from '../common/id.dto.js';
import type { Principal } from '../common/principal.js';
import { EmbedCheckDto, EmbedCheckQuery } from './dto/embed-check.dto.js';
import { EmbedCheck } from './embed-check.service.js';

@Controller('api/reports')
export class EmbedCheckController {
  constructor(private readonly checking: EmbedCheck) {}

  /** Tells why a report will or will not embed: for admins, and for managers of its workspace. */
  @Get(':id/embed-check')
  check(
    @Caller() caller: Principal,
    @Param() { id }: IdParam,
    @Query() query: EmbedCheckQuery,
    @CallerGone() gone: AbortSignal,
  ): Promise<EmbedCheckDto> {
    return this.checking.check(caller, id, query, gone);
  }
}
