import { Body, Controller, Delete, Get, HttpCode, Put, Query } from '@nestjs/common';
import { PathId } from '../core/validation/path-id.js';
import { Caller } from '../core/http/access.js';
import { Links, PageLinks } from '../core/lists/pagination.js';
import type { Principal } from '../core/http/principal.js';
import { ListMembersQuery, MemberDto, MemberListDto, SetMemberDto } from './dto/member.dto.js';
import { MembersService } from './members.service.js';

@Controller('api/workspaces/:id/members')
export class MembersController {
  constructor(private readonly members: MembersService) {}

  /**
   * Lists people and service accounts with a grant of their own in the workspace. Access through groups is in
   * `GET /api/workspaces/{id}/grants`.
   */
  @Get()
  async list(
    @Caller() caller: Principal,
    @PathId() id: string,
    @Query() query: ListMembersQuery,
    @Links() links: PageLinks,
  ): Promise<MemberListDto> {
    return { members: links.from(await this.members.list(caller, id, query)).map(MemberDto.from) };
  }

  /** Grants a user a role in the workspace, or changes it. */
  @Put(':user_id')
  async set(
    @Caller() caller: Principal,
    @PathId() id: string,
    @PathId('user_id') user_id: string,
    @Body() body: SetMemberDto,
  ): Promise<MemberDto> {
    return MemberDto.from(await this.members.set(caller, id, user_id, body));
  }

  /** Removes the role that a user was granted manually in the workspace. */
  @Delete(':user_id')
  @HttpCode(204)
  remove(
    @Caller() caller: Principal,
    @PathId() id: string,
    @PathId('user_id') user_id: string,
  ): Promise<void> {
    return this.members.remove(caller, id, user_id);
  }
}
