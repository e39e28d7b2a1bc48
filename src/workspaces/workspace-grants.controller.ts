import { Body, Controller, Delete, Get, HttpCode, Put, Query } from '@nestjs/common';
import { PathId } from '../core/validation/path-id.js';
import { Caller } from '../core/http/access.js';
import { Links, PageLinks } from '../core/lists/pagination.js';
import type { Principal } from '../core/http/principal.js';
import { CandidateDto, CandidateListDto, CandidatesQueryDto } from './dto/candidate.dto.js';
import { SetMemberDto } from './dto/member.dto.js';
import { ListGrantsQuery, TargetGrantDto, TargetGrantListDto } from './dto/target-grant.dto.js';
import { ManagedWorkspacesService } from './managed-workspaces.service.js';
import { TargetGrantsService } from './target-grants.service.js';

@Controller('api/workspaces/:id')
export class WorkspaceGrantsController {
  constructor(
    private readonly managed: ManagedWorkspacesService,
    private readonly grants: TargetGrantsService,
  ) {}

  /** Lists the active grants of people and groups on a workspace. Requires the role manager in the workspace. */
  @Get('grants')
  async list(
    @Caller() caller: Principal,
    @PathId() id: string,
    @Query() query: ListGrantsQuery,
    @Links() links: PageLinks,
  ): Promise<TargetGrantListDto> {
    const page = await this.managed.listGrants(caller, { workspaceId: id }, query);
    return { grants: links.from(page).map(TargetGrantDto.from) };
  }

  /** Grants a person or service account a role in the workspace, or changes it. */
  @Put('grants/users/:user_id')
  async setUser(
    @Caller() caller: Principal,
    @PathId() id: string,
    @PathId('user_id') user_id: string,
    @Body() body: SetMemberDto,
  ): Promise<TargetGrantDto> {
    const holder = { type: 'user', id: user_id } as const;
    return TargetGrantDto.from(await this.grants.set(caller, { workspaceId: id }, holder, body));
  }

  /** Grants all people of a group a role in the workspace, or changes it. */
  @Put('grants/groups/:group_id')
  async setGroup(
    @Caller() caller: Principal,
    @PathId() id: string,
    @PathId('group_id') group_id: string,
    @Body() body: SetMemberDto,
  ): Promise<TargetGrantDto> {
    const holder = { type: 'group', id: group_id } as const;
    return TargetGrantDto.from(await this.grants.set(caller, { workspaceId: id }, holder, body));
  }

  /** Removes the role that a person or service account was granted manually in the workspace. */
  @Delete('grants/users/:user_id')
  @HttpCode(204)
  removeUser(
    @Caller() caller: Principal,
    @PathId() id: string,
    @PathId('user_id') user_id: string,
  ): Promise<void> {
    return this.grants.remove(caller, { workspaceId: id }, { type: 'user', id: user_id });
  }

  /** Removes the role that a group was granted manually in the workspace. */
  @Delete('grants/groups/:group_id')
  @HttpCode(204)
  removeGroup(
    @Caller() caller: Principal,
    @PathId() id: string,
    @PathId('group_id') group_id: string,
  ): Promise<void> {
    return this.grants.remove(caller, { workspaceId: id }, { type: 'group', id: group_id });
  }

  /**
   * Finds people and groups that can be granted access to the workspace or its reports. Requires the role manager in the
   * workspace; managers find those that share a workspace with them.
   */
  @Get('candidates')
  async findCandidates(
    @Caller() caller: Principal,
    @PathId() id: string,
    @Query() query: CandidatesQueryDto,
  ): Promise<CandidateListDto> {
    return { candidates: (await this.managed.candidates(caller, id, query)).map(CandidateDto.from) };
  }
}
