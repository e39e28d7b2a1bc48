import { Controller, Get, Param } from '@nestjs/common';
import { AdminOnly } from '../core/http/access.js';
import { IdParam } from '../core/validation/id.dto.js';
import { GrantListDto, GrantDto } from './dto/grant.dto.js';
import { HeldGrantsService } from './held-grants.service.js';

@Controller('api')
export class HeldGrantsController {
  constructor(private readonly grants: HeldGrantsService) {}

  /**
   * Lists the active grants of a person or service account, direct and through groups, on workspaces and reports. Manual
   * grants and grants from the identity provider's rules are separate entries.
   */
  @Get('users/:id/grants')
  @AdminOnly()
  async ofUser(@Param() { id }: IdParam): Promise<GrantListDto> {
    return { grants: (await this.grants.ofUser(id)).map(GrantDto.from) };
  }

  /**
   * Lists the active grants that everyone in a group has through it, on workspaces and reports: its own, and those of the
   * groups that contain it.
   */
  @Get('groups/:id/grants')
  @AdminOnly()
  async ofGroup(@Param() { id }: IdParam): Promise<GrantListDto> {
    return { grants: (await this.grants.ofGroup(id)).map(GrantDto.from) };
  }
}
