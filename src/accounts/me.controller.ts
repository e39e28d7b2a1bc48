import { Body, Controller, Get, Patch } from '@nestjs/common';
import { Caller } from '../core/http/access.js';
import type { Principal } from '../core/http/principal.js';
import { Links, PageLinks } from '../core/lists/pagination.js';
import { ProfileDto, UpdateProfileDto } from './dto/profile.dto.js';
import { ProfileService } from './profile.service.js';

@Controller('api/users/me')
export class MeController {
  constructor(private readonly profile: ProfileService) {}

  /**
   * Returns your profile, your sign-in methods and your first 100 grants; the `Link` header contains the URL of the
   * others.
   */
  @Get()
  async get(@Caller() caller: Principal, @Links() links: PageLinks): Promise<ProfileDto> {
    return ProfileDto.of(await this.profile.get(caller), links);
  }

  /** Changes your name, language or time zone. */
  @Patch()
  async update(
    @Caller() caller: Principal,
    @Body() changes: UpdateProfileDto,
    @Links() links: PageLinks,
  ): Promise<ProfileDto> {
    return ProfileDto.of(await this.profile.update(caller, changes), links);
  }
}
