import { Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { Caller } from '../core/http/access.js';
import { Clock } from '../core/clock.js';
import { IdParam } from '../core/validation/id.dto.js';
import { Links, PageLinks } from '../core/lists/pagination.js';
import type { Principal } from '../core/http/principal.js';
import { InvitationDto, InvitationListDto } from './dto/invitation.dto.js';
import { ListInvitationsQuery } from './dto/list-invitations.dto.js';
import { PendingInvitationsService } from './pending-invitations.service.js';

@Controller('api/invitations')
export class InvitationsController {
  constructor(
    private readonly invitations: PendingInvitationsService,
    private readonly clock: Clock,
  ) {}

  /** Lists invitations. Admins see all of them, managers those into the workspaces that they manage. */
  @Get()
  async list(
    @Caller() caller: Principal,
    @Query() query: ListInvitationsQuery,
    @Links() links: PageLinks,
  ): Promise<InvitationListDto> {
    const now = this.clock.now();
    const invited = links.from(await this.invitations.list(caller, query));
    return { invitations: invited.map((one) => InvitationDto.from(one, now)) };
  }

  /** Gets an invitation. */
  @Get(':id')
  async get(@Caller() caller: Principal, @Param() { id }: IdParam): Promise<InvitationDto> {
    return InvitationDto.from(await this.invitations.get(caller, id), this.clock.now());
  }

  /** Resends an invitation with a new link. The previous link stops working. */
  @Post(':id/resend')
  @HttpCode(200)
  async resend(@Caller() caller: Principal, @Param() { id }: IdParam): Promise<InvitationDto> {
    return InvitationDto.from(await this.invitations.resend(caller, id), this.clock.now());
  }

  /** Revokes a pending invitation. */
  @Delete(':id')
  @HttpCode(204)
  revoke(@Caller() caller: Principal, @Param() { id }: IdParam): Promise<void> {
    return this.invitations.revoke(caller, id);
  }
}
