import { extname } from 'node:path';
import { Controller, Get, Header, NotFoundException, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '#openapi';
import type { Request, Response } from 'express';
import { CurrentBrandingService } from '../platform/branding/current-branding.service.js';
import { Public } from '../core/http/access.js';
import { FileMissing } from '../core/problems/problem.js';
import { invitationPage, passwordResetPage } from './link-page.js';
import type { Page } from './page.js';
import { PortalFilesService } from './portal-files.service.js';

/** A missing resource under these paths returns a problem, even to a browser. */
const reserved =
  /^\/(api|assets|branding|docs|livez|login|logout|metrics|openapi\.json|readyz|scim|\.well-known)(\/|$)/i;

/** Files beside `index.html`, such as the icon. `index.html` is a template and never served as a file. */
const ownFile = /^(?!index\.html$)[\w-]+\.\w+$/;

const encodings = { br: '.br', gzip: '.gz' };

/** Registered last: a path without another route may be a page of the portal, which has its own client-side router. */
@Controller()
@Public()
@ApiExcludeController()
export class PortalController {
  constructor(
    private readonly files: PortalFilesService,
    private readonly branding: CurrentBrandingService,
  ) {}

  /** Can be loaded from any origin, whether or not the portal is enabled. */
  @Get('embed.js')
  @Header('Access-Control-Allow-Origin', '*')
  @Header('Cross-Origin-Resource-Policy', 'cross-origin')
  embedScript(@Req() request: Request, @Res() response: Response): void {
    this.send('embed.js', 'public, max-age=300', request, response);
  }

  /** Targets of the links in emails. */
  @Get('invitation')
  async invitation(@Res() response: Response): Promise<void> {
    show((await this.page()) ?? invitationPage, response);
  }

  @Get('password-reset')
  async passwordReset(@Res() response: Response): Promise<void> {
    show((await this.page()) ?? passwordResetPage, response);
  }

  /** The names change with the content, so responses can be cached indefinitely. */
  @Get('assets/*name')
  asset(@Req() request: Request, @Res() response: Response): void {
    if (this.files.page === undefined) throw new FileMissing();
    this.send(request.path.slice(1), 'public, max-age=31536000, immutable', request, response);
  }

  @Get('{*path}')
  async any(@Req() request: Request, @Res() response: Response): Promise<void> {
    const name = request.path.slice(1);
    if (this.files.page === undefined || reserved.test(request.path)) throw new NotFoundException();
    if (ownFile.test(name) && this.files.has(name)) {
      this.send(name, 'public, max-age=3600', request, response);
      return;
    }
    // A client that does not explicitly accept HTML is a program with a wrong URL: it receives a 404, not a page.
    if (name !== '' && request.accepts('json', 'html') !== 'html') throw new NotFoundException();
    const page = await this.page();
    if (page !== undefined) show(page, response);
  }

  private async page(): Promise<Page | undefined> {
    return this.files.page?.(await this.branding.get());
  }

  /** Sends the precompressed file when the build created one and the client accepts its encoding. */
  private send(name: string, cacheControl: string, request: Request, response: Response): void {
    const encoding = (['br', 'gzip'] as const).find(
      (each) => this.files.has(name + encodings[each]) && request.acceptsEncodings(each) !== false,
    );
    const content = this.files.read(encoding === undefined ? name : name + encodings[encoding]);
    if (content === undefined) throw new FileMissing();
    if (encoding !== undefined) response.set('Content-Encoding', encoding);
    response.set('Cache-Control', cacheControl).vary('Accept-Encoding').type(extname(name)).send(content);
  }
}

const show = ({ html, headers }: Page, response: Response): void => {
  response.set(headers).type('html').send(html);
};
