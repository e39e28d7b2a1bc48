import { Controller, Get } from '@nestjs/common';
import { Caller } from '../common/access.js';
import type { Principal } from '../common/principal.js';
import { UsersService } from '../users/users.service.js';
import { MembershipsService } from '../workspaces/memberships.service.js';
import { ProfileDto } from './dto/profile.dto.js';

@Controller('api/users/me')
export class MeController {
  constructor(
    private readonly users: UsersService,
    private readonly memberships: MembershipsService,
  ) {}

  /** Who you are, and what you were granted. */
  @Get()
  async get(@Caller() caller: Principal): Promise<ProfileDto> {
    return ProfileDto.of(await this.users.get(caller.id), await this.memberships.current(caller.id));
  }
}
