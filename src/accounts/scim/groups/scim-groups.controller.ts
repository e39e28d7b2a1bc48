import { Body, Delete, Get, HttpCode, Param, Patch, Post, Put, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Caller } from '../../../core/http/access.js';
import type { Principal } from '../../../core/http/principal.js';
import { ScimController } from '../scim-controller.js';
import { ScimListQuery, ScimSelectionQuery } from '../scim-list.js';
import { GroupResourcesService } from './group-resources.service.js';

@ScimController('Groups')
export class ScimGroupsController {
  constructor(private readonly groups: GroupResourcesService) {}

  /** Lists the groups that SCIM manages, with their direct members unless they are excluded. */
  @Get()
  list(@Query() query: ScimListQuery): Promise<object> {
    return this.groups.list(query);
  }

  /** Creates a group, with members if there are any. */
  @Post()
  async create(
    @Caller() caller: Principal,
    @Body() body: unknown,
    @Query() query: ScimSelectionQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object> {
    const { location, resource } = await this.groups.create(caller, body, query);
    response.setHeader('Location', location);
    return resource;
  }

  /** Returns a group that SCIM manages. */
  @Get(':id')
  get(@Param('id') id: string, @Query() query: ScimSelectionQuery): Promise<object> {
    return this.groups.get(id, query);
  }

  /** Replaces the name and the members. Without `members` they stay, and without `externalId` so does the id. */
  @Put(':id')
  replace(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Body() body: unknown,
    @Query() query: ScimSelectionQuery,
  ): Promise<object> {
    return this.groups.replace(caller, id, body, query);
  }

  /** Changes the name, adds and removes members. Returns the group only if the query selects attributes. */
  @Patch(':id')
  async patch(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Body() body: unknown,
    @Query() query: ScimSelectionQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object | undefined> {
    const resource = await this.groups.patch(caller, id, body, query);
    if (resource === undefined) response.status(204);
    return resource;
  }

  /** Deletes a group with its memberships and grants. */
  @Delete(':id')
  @HttpCode(204)
  remove(@Caller() caller: Principal, @Param('id') id: string): Promise<void> {
    return this.groups.remove(caller, id);
  }
}
