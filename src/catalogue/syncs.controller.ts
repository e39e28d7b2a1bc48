import { Controller, Get, HttpCode, Post, Query, Res } from '@nestjs/common';
import { PathId } from '../core/validation/path-id.js';
import type { Response } from 'express';
import { AdminOnly, Caller } from '../core/http/access.js';
import { Links, PageLinks } from '../core/lists/pagination.js';
import type { Principal } from '../core/http/principal.js';
import { Idempotent } from '../platform/idempotency/idempotency.interceptor.js';
import { ListSyncsQuery, SyncListDto, SyncRunDto } from './dto/sync-run.dto.js';
import { SyncsService } from './syncs.service.js';

@Controller('api/syncs')
@AdminOnly()
export class SyncsController {
  constructor(private readonly syncs: SyncsService) {}

  /** Requests a sync of the catalogue with Power BI. */
  @Post()
  @HttpCode(202)
  @Idempotent()
  async request(
    @Caller() caller: Principal,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SyncRunDto> {
    const run = await this.syncs.request(caller);
    response.setHeader('Location', `/api/syncs/${run.id}`);
    return SyncRunDto.from(run);
  }

  /** Lists sync runs, newest first. */
  @Get()
  async list(
    @Caller() caller: Principal,
    @Query() query: ListSyncsQuery,
    @Links() links: PageLinks,
  ): Promise<SyncListDto> {
    return { syncs: links.from(await this.syncs.list(caller, query)).map(SyncRunDto.from) };
  }

  /** Gets a sync run, with its progress while it is running. */
  @Get(':id')
  async get(@PathId() id: string): Promise<SyncRunDto> {
    return SyncRunDto.from(await this.syncs.get(id));
  }
}
