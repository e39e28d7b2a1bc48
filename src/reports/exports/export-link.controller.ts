import { Controller, Get, Header, Query, Req, Res, StreamableFile } from '@nestjs/common';
import { ApiExcludeController } from '#openapi';
import type { Request, Response } from 'express';
import { Public } from '../../core/http/access.js';
import { ExportFilesService } from './export-files.service.js';
import { ExportLinkInvalid } from './exports.errors.js';

/** The target of one-time links, which a browser opens without a bearer token. */
@Controller('exports')
@Public()
@ApiExcludeController()
export class ExportLinkController {
  constructor(private readonly files: ExportFilesService) {}

  /** Only a download uses up the ticket, not a look at its headers. */
  @Get('file')
  @Header('Cache-Control', 'no-store')
  @Header('Referrer-Policy', 'no-referrer')
  download(
    @Req() { method }: Request,
    @Res({ passthrough: true }) response: Response,
    @Query('ticket') ticket: unknown,
  ): Promise<StreamableFile> {
    if (method === 'HEAD' || typeof ticket !== 'string') throw new ExportLinkInvalid();
    return this.files.redeem(ticket, response);
  }
}
