import { Controller, Get, Param } from '@nestjs/common';
import { AdminOnly } from '../core/http/access.js';
import { IdParam } from '../core/validation/id.dto.js';
import { GrantListDto, GrantDto } from './dto/grant.dto.js';
import { GrantsService } from './grants.service.js';

@Controller('api/users/:id/grants')
export class GrantsController {
  constructor(private readonly grants: GrantsService) {}

  /** Lists what a person or service account was granted: by hand and by the provider's rules, each for itself. */
  @Get()
  @AdminOnly()
  async list(@Param() { id }: IdParam): Promise<GrantListDto> {
    return { grants: (await this.grants.list(id)).map(GrantDto.from) };
  }
}
