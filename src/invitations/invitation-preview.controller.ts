import { Body, Controller, Header, HttpCode, Post } from '@nestjs/common';
import { Public } from '../core/http/access.js';
import { InvitationPreviewDto, PreviewInvitationDto } from './dto/invitation-preview.dto.js';
import { InvitationPreviewService } from './invitation-preview.service.js';

@Controller('login/invitation/preview')
export class InvitationPreviewController {
  constructor(private readonly previews: InvitationPreviewService) {}

  /**
   * Shows who invites, to what and which address, with the secret of the invitation link. Requires no access token and
   * does not accept the invitation.
   */
  @Post()
  @Public()
  @HttpCode(200)
  @Header('Cache-Control', 'no-store')
  async preview(@Body() { token }: PreviewInvitationDto): Promise<InvitationPreviewDto> {
    return InvitationPreviewDto.from(await this.previews.preview(token));
  }
}
