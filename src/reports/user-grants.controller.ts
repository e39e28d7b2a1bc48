import { Controller, Get, Param } from '@nestjs/common';
import { AdminOnly } from '../core/http/access.js';
import { IdParam } from '../core/validation/id.dto.js';
import { GrantListDto, GrantDto } from './dto/grant.dto.js';
import { UserGrantsService } from './user-grants.service.js';

@Controller('api/users/:id/grants')
export class GrantsController {
  constructor(private readonly grants: UserGrantsService) {}

  /**
   * Lists the active grants of a person or service account, direct and through groups, on workspaces and reports. Manual
   * grants and grants from the identity provider's rules are separate entries.
   */
  @Get()
  @AdminOnly()
  async list(@Param() { id }: IdParam): Promise<GrantListDto> {
    return { grants: (await this.grants.list(id)).map(GrantDto.from) };
  }
}
