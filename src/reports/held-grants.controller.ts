import { Controller, Get, Query } from '@nestjs/common';
import { PathId } from '../core/validation/path-id.js';
import { AdminOnly, Caller } from '../core/http/access.js';
import type { Principal } from '../core/http/principal.js';
import { Links, PageLinks } from '../core/lists/pagination.js';
import { GrantListDto, GrantDto, ListHeldGrantsQuery } from './dto/grant.dto.js';
import { HeldGrantsService } from './held-grants.service.js';

@Controller('api')
export class HeldGrantsController {
  constructor(private readonly grants: HeldGrantsService) {}

  /** Lists your own active grants, direct and through groups, on workspaces and reports. */
  @Get('users/me/grants')
  async ofCaller(
    @Caller() caller: Principal,
    @Query() query: ListHeldGrantsQuery,
    @Links() links: PageLinks,
  ): Promise<GrantListDto> {
    return { grants: links.from(await this.grants.ofUser(caller, caller.id, query)).map(GrantDto.from) };
  }

  /**
   * Lists the active grants of a person or service account, direct and through groups, on workspaces and reports. Manual
   * grants and grants from the identity provider's rules are separate entries.
   */
  @Get('users/:id/grants')
  @AdminOnly()
  async ofUser(
    @Caller() caller: Principal,
    @PathId() id: string,
    @Query() query: ListHeldGrantsQuery,
    @Links() links: PageLinks,
  ): Promise<GrantListDto> {
    return { grants: links.from(await this.grants.ofUser(caller, id, query)).map(GrantDto.from) };
  }

  /**
   * Lists the active grants that everyone in a group has through it, on workspaces and reports: its own, and those of the
   * groups that contain it.
   */
  @Get('groups/:id/grants')
  @AdminOnly()
  async ofGroup(
    @Caller() caller: Principal,
    @PathId() id: string,
    @Query() query: ListHeldGrantsQuery,
    @Links() links: PageLinks,
  ): Promise<GrantListDto> {
    return { grants: links.from(await this.grants.ofGroup(caller, id, query)).map(GrantDto.from) };
  }
}
