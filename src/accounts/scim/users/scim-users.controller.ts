import { Body, Delete, Get, HttpCode, Param, Patch, Post, Put, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Caller } from '../../../core/http/access.js';
import type { Principal } from '../../../core/http/principal.js';
import type { ScimUser } from '../../../users/scim-users.queries.js';
import { selectAttributes } from '../attribute-selection.js';
import { filterCondition } from '../filter.js';
import { ScimAddress } from '../scim-address.js';
import { ScimController } from '../scim-controller.js';
import { listResponse, pageOf, ScimListQuery, ScimSelectionQuery } from '../scim-list.js';
import { ScimUsersService } from './scim-users.service.js';
import { createdUser, patchedUser, replacedUser } from './user-body.js';
import { userComparisons } from './user-filter.js';
import { userResource } from './user-resource.js';

@ScimController('Users')
export class ScimUsersController {
  constructor(
    private readonly users: ScimUsersService,
    private readonly address: ScimAddress,
  ) {}

  @Get()
  async list(@Query() query: ScimListQuery): Promise<object> {
    const page = pageOf(query);
    const { total, items } = await this.users.list(filterCondition(query.filter, userComparisons), page);
    return listResponse(
      total,
      page,
      items.map((user) => this.resource(user, query)),
    );
  }

  @Get(':id')
  async get(@Param('id') id: string, @Query() query: ScimSelectionQuery): Promise<object> {
    return this.resource(await this.users.get(id), query);
  }

  @Post()
  async create(
    @Caller() caller: Principal,
    @Body() body: unknown,
    @Query() query: ScimSelectionQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object> {
    const user = await this.users.create(caller, createdUser(body));
    response.setHeader('Location', `${this.address.url}/Users/${user.id}`);
    return this.resource(user, query);
  }

  @Put(':id')
  async replace(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Body() body: unknown,
    @Query() query: ScimSelectionQuery,
  ): Promise<object> {
    return this.resource(await this.users.change(caller, id, replacedUser(body)), query);
  }

  @Patch(':id')
  async patch(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Body() body: unknown,
    @Query() query: ScimSelectionQuery,
  ): Promise<object> {
    return this.resource(await this.users.change(caller, id, patchedUser(body)), query);
  }

  @Delete(':id')
  @HttpCode(204)
  remove(@Caller() caller: Principal, @Param('id') id: string): Promise<void> {
    return this.users.remove(caller, id);
  }

  private resource(user: ScimUser, query: ScimSelectionQuery): object {
    return selectAttributes(userResource(user, this.address.url), query);
  }
}
