import { Controller, Get, Header } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from '../../common/access.js';
import { invitationPage, linkPagePolicy, passwordResetPage } from './link-page.js';

/** Where the links in mail lead while there is no portal in front that serves these paths itself. */
@Controller()
@Public()
@ApiExcludeController()
export class LinkPagesController {
  @Get('invitation')
  @Header('Content-Type', 'text/html; charset=utf-8')
  @Header('Content-Security-Policy', linkPagePolicy)
  invitation(): string {
    return invitationPage;
  }

  @Get('password-reset')
  @Header('Content-Type', 'text/html; charset=utf-8')
  @Header('Content-Security-Policy', linkPagePolicy)
  passwordReset(): string {
    return passwordResetPage;
  }
}
