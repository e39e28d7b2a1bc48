import { Controller, Get, Query } from '@nestjs/common';
import { PathId } from '../../core/validation/path-id.js';
import { AdminOnly, Caller } from '../../core/http/access.js';
import type { Principal } from '../../core/http/principal.js';
import { Links, PageLinks } from '../../core/lists/pagination.js';
import { ListGroupsQuery, UserGroupDto, UserGroupListDto } from './dto/group.dto.js';
import { UserGroupsService } from './user-groups.service.js';

@Controller('api/users')
export class UserGroupsController {
  constructor(private readonly groups: UserGroupsService) {}

  /** Lists the groups that contain you, directly or through other groups. */
  @Get('me/groups')
  async ofCaller(
    @Caller() caller: Principal,
    @Query() query: ListGroupsQuery,
    @Links() links: PageLinks,
  ): Promise<UserGroupListDto> {
    return { groups: links.from(await this.groups.list(caller, caller.id, query)).map(UserGroupDto.from) };
  }

  /** Lists the groups that contain a user or service account, directly or through other groups. */
  @Get(':id/groups')
  @AdminOnly()
  async list(
    @Caller() caller: Principal,
    @PathId() id: string,
    @Query() query: ListGroupsQuery,
    @Links() links: PageLinks,
  ): Promise<UserGroupListDto> {
    return { groups: links.from(await this.groups.list(caller, id, query)).map(UserGroupDto.from) };
  }
}
