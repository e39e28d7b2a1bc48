import { Body, Controller, Header, HttpCode, Post } from '@nestjs/common';
import { PathId } from '../core/validation/path-id.js';
import { ApiBody } from '#openapi';
import { Caller } from '../core/http/access.js';
import { RequestAbortSignal } from '../core/http/request-abort-signal.js';
import type { Principal } from '../core/http/principal.js';
import { EmbedRequestDto } from './dto/embed-request.dto.js';
import { EmbedTokenDto } from './dto/embed-token.dto.js';
import { EmbedService } from './embed.service.js';

@Controller('api/reports')
export class EmbedController {
  constructor(private readonly embedding: EmbedService) {}

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
}
