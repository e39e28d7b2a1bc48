import { Body, Controller, Header, HttpStatus, Post, Res } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse } from '#openapi';
import type { Response } from 'express';
import { Caller } from '../core/http/access.js';
import { Clock } from '../core/clock.js';
import type { Principal } from '../core/http/principal.js';
import { Idempotent } from '../platform/idempotency/idempotency.interceptor.js';
import { InvitationDto } from './dto/invitation.dto.js';
import { InviteUserDto } from './dto/invite-user.dto.js';
import { InviteReplayService } from './invite-replay.service.js';
import { InvitationsService } from './invitations.service.js';

@Controller('api/users/invite')
export class InviteController {
  constructor(
    private readonly invitations: InvitationsService,
    private readonly clock: Clock,
  ) {}

  /** Invites a user. Admins can invite anyone, managers can invite members into the workspaces that they manage. */
  @Post()
  @Idempotent({ withhold: ['accept_url'], check: InviteReplayService })
  @Header('Cache-Control', 'no-store')
  @ApiCreatedResponse({ type: InvitationDto, description: 'The invitation was created' })
  @ApiOkResponse({
    type: InvitationDto,
    description: 'A pending invitation was renewed, or an existing account received the grants',
  })
  async invite(
    @Caller() caller: Principal,
    @Body() body: InviteUserDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<InvitationDto> {
    const invited = await this.invitations.invite(caller, body);
    response.status(invited.created === true ? HttpStatus.CREATED : HttpStatus.OK);
    return InvitationDto.from(invited, this.clock.now());
  }
}
