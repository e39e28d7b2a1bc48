import {
  Body,
  Controller,
  Delete,
  Get,
  Header,
  HttpCode,
  Post,
  Query,
  Res,
  StreamableFile,
} from '@nestjs/common';
import { PathId } from '../../core/validation/path-id.js';
import { ApiOkResponse } from '#openapi';
import type { Response } from 'express';
import { Caller } from '../../core/http/access.js';
import type { Principal } from '../../core/http/principal.js';
import { Links, PageLinks } from '../../core/lists/pagination.js';
import { Idempotent } from '../../platform/idempotency/idempotency.interceptor.js';
import {
  CreateExportDto,
  ExportDto,
  ExportListDto,
  ExportOptionsDto,
  ExportTicketDto,
  ListExportsQuery,
} from './dto/export.dto.js';
import { ExportFilesService } from './export-files.service.js';
import { ExportOrdersService } from './export-orders.service.js';
import { ExportRightsService } from './export-rights.service.js';
import { ExportsService } from './exports.service.js';
import { fileTypes } from './formats.js';

const file = { schema: { type: 'string', format: 'binary' } };
const files = Object.fromEntries(fileTypes.map((type) => [type, file]));

@Controller('api')
export class ExportsController {
  constructor(
    private readonly exports: ExportsService,
    private readonly files: ExportFilesService,
    private readonly orders: ExportOrdersService,
  ) {}

  /** Lists the caller's exports of the last 7 days, newest first. */
  @Get('exports')
  async list(
    @Caller() caller: Principal,
    @Query() query: ListExportsQuery,
    @Links() links: PageLinks,
  ): Promise<ExportListDto> {
    return { exports: links.from(await this.exports.list(caller, query)).map(ExportDto.from) };
  }

  /** Gets an export of the caller, with its progress. */
  @Get('exports/:id')
  async get(@Caller() caller: Principal, @PathId() id: string): Promise<ExportDto> {
    return ExportDto.from(await this.exports.get(caller, id));
  }

  /** Downloads the file of an export. Several pages as PNG are a ZIP file. */
  @Get('exports/:id/file')
  @Header('Cache-Control', 'no-store')
  @ApiOkResponse({ content: files })
  download(
    @Caller() caller: Principal,
    @PathId() id: string,
    @Res({ passthrough: true }) response: Response,
  ): Promise<StreamableFile> {
    return this.files.open(caller, id, response);
  }

  /** Creates a link that downloads the file once, within 60 seconds and without a bearer token. Replaces the oldest of five. */
  @Post('exports/:id/tickets')
  @Header('Cache-Control', 'no-store')
  createTicket(@Caller() caller: Principal, @PathId() id: string): Promise<ExportTicketDto> {
    return this.files.createTicket(caller, id);
  }

  /** Cancels an export, or deletes its file. */
  @Delete('exports/:id')
  @HttpCode(204)
  remove(@Caller() caller: Principal, @PathId() id: string): Promise<void> {
    return this.exports.remove(caller, id);
  }

  /** Exports a report to a file, with the caller's effective identity. The export runs in the background. */
  @Post('reports/:id/exports')
  @HttpCode(202)
  @Idempotent({ check: ExportRightsService })
  async create(
    @Caller() caller: Principal,
    @PathId() id: string,
    @Body() input: CreateExportDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ExportDto> {
    const created = await this.exports.create(caller, id, input);
    response.setHeader('Location', `/api/exports/${created.id}`);
    return ExportDto.from(created);
  }

  /** Gets whether the caller may export a report, and in which formats. */
  @Get('reports/:id/export-options')
  options(@Caller() caller: Principal, @PathId() id: string): Promise<ExportOptionsDto> {
    return this.orders.optionsFor(caller, id);
  }
}
