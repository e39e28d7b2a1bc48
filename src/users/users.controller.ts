import { Controller, Get, Query } from '@nestjs/common';
import { PathId } from '../core/validation/path-id.js';
import { AdminOnly, Caller } from '../core/http/access.js';
import { Links, PageLinks } from '../core/lists/pagination.js';
import type { Principal } from '../core/http/principal.js';
import { ListUsersQuery, UserAttributesDto, UserDto, UserListDto } from './dto/user.dto.js';
import { UsersService } from './users.service.js';

@Controller('api/users')
export class UsersController {
  constructor(private readonly users: UsersService) {}

  /**
   * Lists users, or service accounts with `kind=service`. An invited person becomes a user by accepting:
   * `GET /api/invitations` lists pending and expired invitations.
   */
  @Get()
  @AdminOnly()
  async list(
    @Caller() caller: Principal,
    @Query() query: ListUsersQuery,
    @Links() links: PageLinks,
  ): Promise<UserListDto> {
    return { users: links.from(await this.users.list(caller, query)).map(UserDto.from) };
  }

  /** Returns a user. */
  @Get(':id')
  @AdminOnly()
  async get(@PathId() id: string): Promise<UserDto> {
    return UserDto.from(await this.users.get(id));
  }

  /** Returns the attributes of a user or service account, which identity policies can refer to. */
  @Get(':id/attributes')
  @AdminOnly()
  async attributes(@PathId() id: string): Promise<UserAttributesDto> {
    return UserAttributesDto.from(await this.users.get(id));
  }
}
