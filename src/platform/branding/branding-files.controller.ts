import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '#openapi';
import type { Request, Response } from 'express';
import { Public } from '../../core/http/access.js';
import { FileMissing } from '../../core/problems/problem.js';
import { CurrentBrandingService } from './current-branding.service.js';

/** An opened SVG file runs nothing and loads nothing, whatever a validator missed. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/** The files of the branding by the hash of their content: the sign-in page shows them before a sign-in. */
@Controller('branding')
@Public()
@ApiExcludeController()
export class BrandingFilesController {
  constructor(private readonly branding: CurrentBrandingService) {}

  @Get(':id')
  async get(@Param('id') hash: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    const image = await this.branding.findImage(hash);
    if (image === undefined) throw new FileMissing();
    response.set({
      'Cache-Control': 'public, max-age=31536000, immutable',
      'Content-Security-Policy': POLICY,
      ETag: `"${image.hash}"`,
    });
    if (request.fresh) response.status(304).end();
    else response.type(image.mediaType).send(image.content);
  }
}
