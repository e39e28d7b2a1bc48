import { Body, Controller, Get, Patch } from '@nestjs/common';
import { Caller } from '../core/http/access.js';
import type { Principal } from '../core/http/principal.js';
import { ProfileDto } from './dto/profile.dto.js';
import { UpdateProfileDto } from './dto/update-profile.dto.js';
import { ProfileService } from './profile.service.js';

@Controller('api/users/me')
export class MeController {
  constructor(private readonly profile: ProfileService) {}

  /** Returns your profile, your grants and your sign-in methods. */
  @Get()
  async get(@Caller() caller: Principal): Promise<ProfileDto> {
    return ProfileDto.of(await this.profile.get(caller));
  }

  /** Changes your name, language or time zone. */
  @Patch()
  async update(@Caller() caller: Principal, @Body() changes: UpdateProfileDto): Promise<ProfileDto> {
    return ProfileDto.of(await this.profile.update(caller, changes));
  }
}
