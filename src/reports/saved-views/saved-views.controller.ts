import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Query, Res } from '@nestjs/common';
import { PathId } from '../../core/validation/path-id.js';
import type { Response } from 'express';
import { Caller } from '../../core/http/access.js';
import type { Principal } from '../../core/http/principal.js';
import { Links, PageLinks } from '../../core/lists/pagination.js';
import { Idempotent } from '../../platform/idempotency/idempotency.interceptor.js';
import {
  CreateSavedViewDto,
  ListedViewDto,
  ListSavedViewsQuery,
  SavedViewDto,
  SavedViewListDto,
  UpdateSavedViewDto,
} from './dto/saved-view.dto.js';
import { SavedViewsService } from './saved-views.service.js';

@Controller('api/reports/:id/views')
export class SavedViewsController {
  constructor(private readonly views: SavedViewsService) {}

  /** Lists your saved views of a report and the shared ones, without their state. */
  @Get()
  async list(
    @Caller() caller: Principal,
    @PathId() id: string,
    @Query() query: ListSavedViewsQuery,
    @Links() links: PageLinks,
  ): Promise<SavedViewListDto> {
    return { views: links.from(await this.views.list(caller, id, query)).map(ListedViewDto.from) };
  }

  /** Saves a view of a report. Each person can save 100 views of each report. */
  @Post()
  @Idempotent({ check: SavedViewsService })
  async create(
    @Caller() caller: Principal,
    @PathId() id: string,
    @Body() body: CreateSavedViewDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SavedViewDto> {
    const view = await this.views.create(caller, id, body);
    response.setHeader('Location', `/api/reports/${view.reportId}/views/${view.id}`);
    return SavedViewDto.of(view);
  }

  /** Returns a saved view with its state. */
  @Get(':view_id')
  async get(
    @Caller() caller: Principal,
    @PathId() id: string,
    @PathId('view_id') view_id: string,
  ): Promise<SavedViewDto> {
    return SavedViewDto.of(await this.views.get(caller, id, view_id));
  }

  /** Changes a saved view. A shared view requires its owner, as an editor, or a manager of the workspace. */
  @Patch(':view_id')
  async update(
    @Caller() caller: Principal,
    @PathId() id: string,
    @PathId('view_id') view_id: string,
    @Body() changes: UpdateSavedViewDto,
  ): Promise<SavedViewDto> {
    return SavedViewDto.of(await this.views.update(caller, id, view_id, changes));
  }

  /** Deletes a saved view. A shared view requires its owner or a manager of the workspace. */
  @Delete(':view_id')
  @HttpCode(204)
  remove(
    @Caller() caller: Principal,
    @PathId() id: string,
    @PathId('view_id') view_id: string,
  ): Promise<void> {
    return this.views.remove(caller, id, view_id);
  }
}
