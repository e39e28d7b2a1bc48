import { Body, Controller, Header, HttpCode, Param, Post } from '@nestjs/common';
import { ApiBody } from '@nestjs/swagger';
import { Caller } from '../common/access.js';
import { CallerGone } from '../common/caller-gone.js';
import { IdParam } from '../common/id.dto.js';
import type { Principal } from '../common/principal.js';
import { EmbedRequestDto } from './dto/embed-request.dto.js';
import { EmbedTokenDto } from './dto/embed-token.dto.js';
import { EmbedService } from './embed.service.js';

@Controller('api/reports')
export class EmbedController {
  constructor(private readonly embedding: EmbedService) {}

  /** Makes an embed token for one report. The body may be left out. */
  @Post(':id/embed-token')
  @HttpCode(200)
  @Header('Cache-Control', 'no-store')
  @ApiBody({ type: EmbedRequestDto, required: false })
  embed(
    @Caller() caller: Principal,
    @Param() { id }: IdParam,
    @CallerGone() gone: AbortSignal,
    @Body() { access }: EmbedRequestDto = new EmbedRequestDto(),
  ): Promise<EmbedTokenDto> {
    return this.embedding.embed(caller, id, access, gone);
  }
}
