import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Query, Res } from '@nestjs/common';
import { PathId } from '../../core/validation/path-id.js';
import type { Response } from 'express';
import { AdminOnly, Caller } from '../../core/http/access.js';
import type { Principal } from '../../core/http/principal.js';
import { Links, PageLinks } from '../../core/lists/pagination.js';
import { Idempotent } from '../../platform/idempotency/idempotency.interceptor.js';
import { CreateGroupDto, GroupDto, GroupListDto, ListGroupsQuery, UpdateGroupDto } from './dto/group.dto.js';
import { GroupsService } from './groups.service.js';

@Controller('api/groups')
@AdminOnly()
export class GroupsController {
  constructor(private readonly groups: GroupsService) {}

  /** Lists the groups. */
  @Get()
  async list(
    @Caller() caller: Principal,
    @Query() query: ListGroupsQuery,
    @Links() links: PageLinks,
  ): Promise<GroupListDto> {
    return { groups: links.from(await this.groups.list(caller, query)).map(GroupDto.from) };
  }

  /** Creates a group without members. */
  @Post()
  @Idempotent()
  async create(
    @Caller() caller: Principal,
    @Body() body: CreateGroupDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<GroupDto> {
    const group = await this.groups.create(caller, body);
    response.setHeader('Location', `/api/groups/${group.id}`);
    return GroupDto.from(group);
  }

  /** Returns a group. */
  @Get(':id')
  async get(@PathId() id: string): Promise<GroupDto> {
    return GroupDto.from(await this.groups.get(id));
  }

  /** Changes name or description. A group of the identity provider or of SCIM keeps its name. */
  @Patch(':id')
  async update(
    @Caller() caller: Principal,
    @PathId() id: string,
    @Body() changes: UpdateGroupDto,
  ): Promise<GroupDto> {
    return GroupDto.from(await this.groups.update(caller, id, changes));
  }

  /** Deletes a group with its memberships and grants. Its members stay in other groups that contain them too. */
  @Delete(':id')
  @HttpCode(204)
  remove(@Caller() caller: Principal, @PathId() id: string): Promise<void> {
    return this.groups.remove(caller, id);
  }
}
