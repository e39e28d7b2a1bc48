import { Controller, Get } from '@nestjs/common';
import { Caller } from '../core/http/access.js';
import type { Principal } from '../core/http/principal.js';
import { ProfileDto } from './dto/profile.dto.js';
import { ProfileService } from './profile.service.js';

@Controller('api/users/me')
export class MeController {
  constructor(private readonly profile: ProfileService) {}

  /** Who you are, what you were granted, and how you can sign in. */
  @Get()
  async get(@Caller() caller: Principal): Promise<ProfileDto> {
    return ProfileDto.of(await this.profile.get(caller));
  }
}
