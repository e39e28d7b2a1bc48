import { Body, Controller, Delete, Get, HttpCode, Post, Query } from '@nestjs/common';
import { PathId } from '../core/validation/path-id.js';
import { AdminOnly, Caller } from '../core/http/access.js';
import { Links, PageLinks } from '../core/lists/pagination.js';
import type { Principal } from '../core/http/principal.js';
import { EmbedGrantDto, EmbedGrantListDto, ListGrantsQuery } from './dto/embed-grant.dto.js';
import {
  EmbedRevocationDto,
  EmbedRevocationListDto,
  ListRevocationsQuery,
  NewEmbedRevocationDto,
  RevokeEmbeddingDto,
} from './dto/embed-revocation.dto.js';
import { IssuedTokensService } from './issued-tokens.service.js';
import { EmbedRevocationsService } from './embed-revocations.service.js';
import { RevocationService } from './revocation.service.js';

@Controller('api/embed-grants')
export class IssuedTokensController {
  constructor(
    private readonly grants: IssuedTokensService,
    private readonly revocations: EmbedRevocationsService,
    private readonly revoking: RevocationService,
  ) {}

  /** Lists issued embed tokens, newest first. */
  @Get()
  @AdminOnly()
  async list(
    @Caller() caller: Principal,
    @Query() query: ListGrantsQuery,
    @Links() links: PageLinks,
  ): Promise<EmbedGrantListDto> {
    return { embed_grants: links.from(await this.grants.list(caller, query)).map(EmbedGrantDto.from) };
  }

  /**
   * Blocks embedding: no embed tokens are issued until the block is removed. At least one of `user_id`, `report_id` and
   * `workspace_id` is required; a block with several of them applies only where all of them match. Tokens already issued
   * remain valid until they expire; the response contains the latest expiry.
   */
  @Post('revoke')
  revoke(@Caller() caller: Principal, @Body() request: RevokeEmbeddingDto): Promise<NewEmbedRevocationDto> {
    return this.revoking.revoke(caller, request);
  }

  /** Lists active blocks of embedding. */
  @Get('revocations')
  @AdminOnly()
  async listRevocations(
    @Caller() caller: Principal,
    @Query() query: ListRevocationsQuery,
    @Links() links: PageLinks,
  ): Promise<EmbedRevocationListDto> {
    return {
      embed_revocations: links.from(await this.revocations.list(caller, query)).map(EmbedRevocationDto.from),
    };
  }

  /** Removes a block of embedding. Embed tokens are issued again. */
  @Delete('revocations/:id')
  @HttpCode(204)
  lift(@Caller() caller: Principal, @PathId() id: string): Promise<void> {
    return this.revoking.lift(caller, id);
  }
}
