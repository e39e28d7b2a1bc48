import {
  Body,
  Controller,
  Delete,
  Get,
  Header,
  HttpCode,
  HttpStatus,
  Post,
  Query,
  Res,
} from '@nestjs/common';
import { PathId } from '../core/validation/path-id.js';
import { ApiBody, ApiCreatedResponse, ApiOkResponse } from '#openapi';
import type { Response } from 'express';
import { Caller } from '../core/http/access.js';
import { Clock } from '../core/clock.js';
import { Links, PageLinks } from '../core/lists/pagination.js';
import type { Principal } from '../core/http/principal.js';
import { Idempotent } from '../platform/idempotency/idempotency.interceptor.js';
import { BulkInvitationsService } from './bulk-invitations.service.js';
import {
  BulkInvitationListDto,
  BulkInviteDto,
  ResendInvitationsDto,
  ResentInvitationListDto,
} from './dto/bulk-invite.dto.js';
import { InvitationDto, InvitationListDto, ListInvitationsQuery } from './dto/invitation.dto.js';
import { InviteUserDto } from './dto/invite-user.dto.js';
import { InvitationRightsService } from './invitation-rights.service.js';
import { InvitationsService } from './invitations.service.js';
import { PendingInvitationsService } from './pending-invitations.service.js';

@Controller('api')
export class InvitationsController {
  constructor(
    private readonly invitations: InvitationsService,
    private readonly pending: PendingInvitationsService,
    private readonly bulk: BulkInvitationsService,
    private readonly clock: Clock,
  ) {}

  /** Invites a user. Admins can invite anyone, managers can invite members into the workspaces that they manage. */
  @Post('users/invite')
  @Idempotent({ withhold: ['accept_url'], check: InvitationRightsService })
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

  /** Lists invitations. Admins see all of them, managers those into the workspaces that they manage. */
  @Get('invitations')
  async list(
    @Caller() caller: Principal,
    @Query() query: ListInvitationsQuery,
    @Links() links: PageLinks,
  ): Promise<InvitationListDto> {
    const now = this.clock.now();
    const invited = links.from(await this.pending.list(caller, query));
    return { invitations: invited.map((one) => InvitationDto.from(one, now)) };
  }

  /**
   * Invites up to 500 users to the same access. The result of each line is its invitation or its problem; a line that failed
   * can be sent again, with another `Idempotency-Key`. Emails are queued and count against a limit of their own.
   */
  @Post('invitations/bulk')
  @Idempotent({ withhold: ['accept_url'], check: InvitationRightsService })
  @HttpCode(200)
  @Header('Cache-Control', 'no-store')
  async inviteAll(@Caller() caller: Principal, @Body() body: BulkInviteDto): Promise<BulkInvitationListDto> {
    return { results: await this.bulk.invite(caller, body) };
  }

  /**
   * Resends all open invitations that you can manage with new links: pending ones and those that expired in the last 30 days,
   * except those with an email of the last minute, those whose inviters may no longer invite, and those for an admin whose address
   * has an active account. One request resends up to 500 and
   * ends with the first that fails; repeat it with the `mailed_before` of the first response until `results` is empty. Emails
   * count against the limit of bulk invitations.
   */
  @Post('invitations/resend')
  @ApiBody({ type: ResendInvitationsDto, required: false })
  @HttpCode(200)
  @Header('Cache-Control', 'no-store')
  resendAll(
    @Caller() caller: Principal,
    @Body() { mailed_before }: ResendInvitationsDto = new ResendInvitationsDto(),
  ): Promise<ResentInvitationListDto> {
    return this.bulk.resend(caller, mailed_before);
  }

  /** Gets an invitation. */
  @Get('invitations/:id')
  async get(@Caller() caller: Principal, @PathId() id: string): Promise<InvitationDto> {
    return InvitationDto.from(await this.pending.get(caller, id), this.clock.now());
  }

  /**
   * Resends an invitation with a new link. The previous link stops working. Without a mail server, managers extend it instead.
   * An active account of the address receives the access without a link.
   */
  @Post('invitations/:id/resend')
  @HttpCode(200)
  async resend(@Caller() caller: Principal, @PathId() id: string): Promise<InvitationDto> {
    return InvitationDto.from(await this.pending.resend(caller, id), this.clock.now());
  }

  /** Revokes a pending invitation. */
  @Delete('invitations/:id')
  @HttpCode(204)
  revoke(@Caller() caller: Principal, @PathId() id: string): Promise<void> {
    return this.pending.revoke(caller, id);
  }
}
