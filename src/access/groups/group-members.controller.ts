import { Body, Controller, Delete, Get, HttpCode, Post, Put, Query } from '@nestjs/common';
import { PathId } from '../../core/validation/path-id.js';
import { AdminOnly, Caller } from '../../core/http/access.js';
import type { Principal } from '../../core/http/principal.js';
import { Links, PageLinks } from '../../core/lists/pagination.js';
import { AddGroupMembersDto, GroupMemberDto, GroupMemberListDto } from './dto/group-member.dto.js';
import { ListGroupMembersQuery } from './dto/group.dto.js';
import { GroupMembersService } from './group-members.service.js';

@Controller('api/groups/:id/members')
@AdminOnly()
export class GroupMembersController {
  constructor(private readonly members: GroupMembersService) {}

  /**
   * Lists the direct members of a group, people and groups. With `effective=true`, all people of the group and of the
   * groups in it, each with the path to the group that contains the person directly.
   */
  @Get()
  async list(
    @Caller() caller: Principal,
    @PathId() id: string,
    @Query() query: ListGroupMembersQuery,
    @Links() links: PageLinks,
  ): Promise<GroupMemberListDto> {
    return { members: links.from(await this.members.list(caller, id, query)).map(GroupMemberDto.from) };
  }

  /** Adds people, service accounts and groups to a group: all of them, or none if one cannot be added. */
  @Post()
  @HttpCode(204)
  addAll(@Caller() caller: Principal, @PathId() id: string, @Body() body: AddGroupMembersDto): Promise<void> {
    return this.members.addAll(caller, id, body);
  }

  /** Adds a person or a service account to a group. */
  @Put('users/:user_id')
  @HttpCode(204)
  addUser(
    @Caller() caller: Principal,
    @PathId() id: string,
    @PathId('user_id') user_id: string,
  ): Promise<void> {
    return this.members.addUser(caller, id, user_id);
  }

  /** Removes a person or a service account that was added to the group directly. */
  @Delete('users/:user_id')
  @HttpCode(204)
  removeUser(
    @Caller() caller: Principal,
    @PathId() id: string,
    @PathId('user_id') user_id: string,
  ): Promise<void> {
    return this.members.removeUser(caller, id, user_id);
  }

  /** Adds a group to a group: its people become people of the outer group. At most 10 levels, without cycles. */
  @Put('groups/:group_id')
  @HttpCode(204)
  addGroup(
    @Caller() caller: Principal,
    @PathId() id: string,
    @PathId('group_id') group_id: string,
  ): Promise<void> {
    return this.members.addGroup(caller, id, group_id);
  }

  /** Removes a group from a group. Its people stay in the outer group only through other paths. */
  @Delete('groups/:group_id')
  @HttpCode(204)
  removeGroup(
    @Caller() caller: Principal,
    @PathId() id: string,
    @PathId('group_id') group_id: string,
  ): Promise<void> {
    return this.members.removeGroup(caller, id, group_id);
  }
}
