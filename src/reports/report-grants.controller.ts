import { Body, Controller, Delete, Get, HttpCode, Put, Query } from '@nestjs/common';
import { PathId } from '../core/validation/path-id.js';
import { Caller } from '../core/http/access.js';
import { Links, PageLinks } from '../core/lists/pagination.js';
import type { Principal } from '../core/http/principal.js';
import {
  ListGrantsQuery,
  SetReportGrantDto,
  TargetGrantDto,
  TargetGrantListDto,
} from '../workspaces/dto/target-grant.dto.js';
import { ManagedWorkspacesService } from '../workspaces/managed-workspaces.service.js';
import { TargetGrantsService } from '../workspaces/target-grants.service.js';
import { ReportsService } from './reports.service.js';

@Controller('api/reports/:id/grants')
export class ReportGrantsController {
  constructor(
    private readonly reports: ReportsService,
    private readonly managed: ManagedWorkspacesService,
    private readonly grants: TargetGrantsService,
  ) {}

  /**
   * Lists the active grants of people and groups on one report. Requires the role manager in its
   * workspace; grants on the workspace are not included.
   */
  @Get()
  async list(
    @Caller() caller: Principal,
    @PathId() id: string,
    @Query() query: ListGrantsQuery,
    @Links() links: PageLinks,
  ): Promise<TargetGrantListDto> {
    const page = await this.managed.listGrants(caller, await this.reports.targetOf(caller, id), query);
    return { grants: links.from(page).map(TargetGrantDto.from) };
  }

  /** Grants a person or service account a role on the report, or changes it. */
  @Put('users/:user_id')
  async setUser(
    @Caller() caller: Principal,
    @PathId() id: string,
    @PathId('user_id') user_id: string,
    @Body() body: SetReportGrantDto,
  ): Promise<TargetGrantDto> {
    const holder = { type: 'user', id: user_id } as const;
    const target = await this.reports.targetOf(caller, id);
    return TargetGrantDto.from(await this.grants.set(caller, target, holder, body));
  }

  /** Grants all people of a group a role on the report, or changes it. */
  @Put('groups/:group_id')
  async setGroup(
    @Caller() caller: Principal,
    @PathId() id: string,
    @PathId('group_id') group_id: string,
    @Body() body: SetReportGrantDto,
  ): Promise<TargetGrantDto> {
    const holder = { type: 'group', id: group_id } as const;
    const target = await this.reports.targetOf(caller, id);
    return TargetGrantDto.from(await this.grants.set(caller, target, holder, body));
  }

  /** Removes the role that a person or service account was granted manually on the report. */
  @Delete('users/:user_id')
  @HttpCode(204)
  async removeUser(
    @Caller() caller: Principal,
    @PathId() id: string,
    @PathId('user_id') user_id: string,
  ): Promise<void> {
    const target = await this.reports.targetOf(caller, id);
    await this.grants.remove(caller, target, { type: 'user', id: user_id });
  }

  /** Removes the role that a group was granted manually on the report. */
  @Delete('groups/:group_id')
  @HttpCode(204)
  async removeGroup(
    @Caller() caller: Principal,
    @PathId() id: string,
    @PathId('group_id') group_id: string,
  ): Promise<void> {
    const target = await this.reports.targetOf(caller, id);
    await this.grants.remove(caller, target, { type: 'group', id: group_id });
  }
}
