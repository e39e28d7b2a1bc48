import { Body, Controller, Get, Header, HttpCode, Post, Query } from '@nestjs/common';
import { PathId } from '../core/validation/path-id.js';
import { ApiBody } from '#openapi';
import { Caller } from '../core/http/access.js';
import { RequestAbortSignal } from '../core/http/request-abort-signal.js';
import type { Principal } from '../core/http/principal.js';
import { EmbedCheckDto, EmbedCheckQuery } from './dto/embed-check.dto.js';
import { EmbedRequestDto, EmbedTokenDto } from './dto/embed-token.dto.js';
import { EmbedCheckService } from './embed-check.service.js';
import { EmbedService } from './embed.service.js';

@Controller('api/reports')
export class EmbedController {
  constructor(
    private readonly embedding: EmbedService,
    private readonly checking: EmbedCheckService,
  ) {}

  /** Generates an embed token for a report. The request body is optional. */
  @Post(':id/embed-token')
  @HttpCode(200)
  @Header('Cache-Control', 'no-store')
  @ApiBody({ type: EmbedRequestDto, required: false })
  embed(
    @Caller() caller: Principal,
    @PathId() id: string,
    @RequestAbortSignal() gone: AbortSignal,
    @Body() { access }: EmbedRequestDto = new EmbedRequestDto(),
  ): Promise<EmbedTokenDto> {
    return this.embedding.embed(caller, id, access, gone);
  }

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
