import { extname } from 'node:path';
import { Controller, Get, Header, NotFoundException, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Public } from '../core/http/access.js';
import { Problem } from '../core/problems/problem.js';
import { invitationPage, passwordResetPage } from './link-page.js';
import type { Page } from './page.js';
import { PortalFilesService } from './portal-files.service.js';

/** What is not there under these is a problem, for a browser too. */
const reserved = /^\/(api|assets|docs|livez|login|logout|metrics|openapi\.json|readyz|\.well-known)(\/|$)/i;

/** Beside `index.html`, which is no file to hand out: the icon and the like. */
const ownFile = /^(?!index\.html$)[\w-]+\.\w+$/;

const encodings = { br: '.br', gzip: '.gz' };

class FileMissing extends Problem {
  constructor() {
    super('route_not_found', 'Nothing is served under this path.');
  }
}

/** Comes last of all: what nobody else serves may be a page of the portal, whose own router knows. */
@Controller()
@Public()
@ApiExcludeController()
export class PortalController {
  constructor(private readonly files: PortalFilesService) {}

  /** For pages of any origin, whether or not there is a portal here. */
  @Get('embed.js')
  @Header('Access-Control-Allow-Origin', '*')
  @Header('Cross-Origin-Resource-Policy', 'cross-origin')
  embedScript(@Req() request: Request, @Res() response: Response): void {
    this.send('embed.js', 'public, max-age=300', request, response);
  }

  /** Where the links in mail lead. */
  @Get('invitation')
  invitation(@Res() response: Response): void {
    show(this.files.page?.() ?? invitationPage, response);
  }

  @Get('password-reset')
  passwordReset(@Res() response: Response): void {
    show(this.files.page?.() ?? passwordResetPage, response);
  }

  /** Their names change with their content. */
  @Get('assets/*name')
  asset(@Req() request: Request, @Res() response: Response): void {
    if (this.files.page === undefined) throw new FileMissing();
    this.send(request.path.slice(1), 'public, max-age=31536000, immutable', request, response);
  }

  @Get('{*path}')
  any(@Req() request: Request, @Res() response: Response): void {
    const { page } = this.files;
    const name = request.path.slice(1);
    if (page === undefined || reserved.test(request.path)) throw new NotFoundException();
    if (ownFile.test(name) && this.files.has(name)) {
      this.send(name, 'public, max-age=3600', request, response);
      return;
    }
    // Whoever does not ask for a page in so many words is a program with a wrong address.
    if (name !== '' && request.accepts('json', 'html') !== 'html') throw new NotFoundException();
    show(page(), response);
  }

  /** With the encoding that the build made and the client takes, if there is one. */
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
