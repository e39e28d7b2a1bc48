import { Body, Controller, Header, HttpCode, Post } from '@nestjs/common';
import { Public } from '../core/http/access.js';
import { TokenLimitsService } from '../platform/rate-limit/token-limits.service.js';
import { ResetLinksService } from '../users/reset-links.service.js';
import { PreviewResetLinkDto, ResetLinkPreviewDto } from './dto/reset-link.dto.js';

@Controller('login/password-reset/preview')
export class ResetLinkController {
  constructor(
    private readonly limits: TokenLimitsService,
    private readonly links: ResetLinksService,
  ) {}

  /**
   * Shows which account a password reset link belongs to. Requires no access token and does not use the link: the portal
   * shows the email address with the form, for password managers.
   */
  @Post()
  @Public()
  @HttpCode(200)
  @Header('Cache-Control', 'no-store')
  async preview(@Body() { token }: PreviewResetLinkDto): Promise<ResetLinkPreviewDto> {
    return ResetLinkPreviewDto.from(await this.limits.lookUp(() => this.links.findUser(token)));
  }
}
