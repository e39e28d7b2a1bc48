import { Body, Controller, Get, HttpCode, Post, Res } from '@nestjs/common';
import { PathId } from '../../core/validation/path-id.js';
import type { Response } from 'express';
import { Caller } from '../../core/http/access.js';
import type { Principal } from '../../core/http/principal.js';
import { Idempotent } from '../../platform/idempotency/idempotency.interceptor.js';
import { CreateExportDto, ExportDto, ExportOptionsDto } from './dto/export.dto.js';
import { ExportOrdersService } from './export-orders.service.js';
import { ExportRightsService } from './export-rights.service.js';
import { ExportsService } from './exports.service.js';

@Controller('api/reports')
export class ReportExportsController {
  constructor(
    private readonly exports: ExportsService,
    private readonly orders: ExportOrdersService,
  ) {}

  /** Exports a report to a file, with the caller's effective identity. The export runs in the background. */
  @Post(':id/exports')
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
  @Get(':id/export-options')
  options(@Caller() caller: Principal, @PathId() id: string): Promise<ExportOptionsDto> {
    return this.orders.optionsFor(caller, id);
  }
}
