import { Body, Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { PathId } from '../../core/validation/path-id.js';
import { Caller } from '../../core/http/access.js';
import type { Principal } from '../../core/http/principal.js';
import { Links, PageLinks } from '../../core/lists/pagination.js';
import { AccessDecisionsService } from './access-decisions.service.js';
import { AccessRequestsService } from './access-requests.service.js';
import {
  AcceptedAccessRequestDto,
  AccessRequestDto,
  AccessRequestListDto,
  CreateAccessRequestDto,
  ListAccessRequestsQuery,
} from './dto/access-request.dto.js';

@Controller('api/access-requests')
export class AccessRequestsController {
  constructor(
    private readonly requests: AccessRequestsService,
    private readonly decisions: AccessDecisionsService,
  ) {}

  /**
   * Requests access to a report or a workspace from the workspace's managers. The response does not reveal whether it
   * exists.
   */
  @Post()
  @HttpCode(202)
  async create(
    @Caller() caller: Principal,
    @Body() body: CreateAccessRequestDto,
  ): Promise<AcceptedAccessRequestDto> {
    await this.requests.create(caller, body);
    return { status: 'received' };
  }

  /**
   * Lists access requests. Managers see those for the workspaces that they manage, admins all, and everyone their own
   * with `mine=true`.
   */
  @Get()
  async list(
    @Caller() caller: Principal,
    @Query() query: ListAccessRequestsQuery,
    @Links() links: PageLinks,
  ): Promise<AccessRequestListDto> {
    return {
      access_requests: links.from(await this.requests.list(caller, query)).map(AccessRequestDto.from),
    };
  }

  /** Approves a pending request. The requester receives the role viewer. */
  @Post(':id/approve')
  @HttpCode(200)
  async approve(@Caller() caller: Principal, @PathId() id: string): Promise<AccessRequestDto> {
    return AccessRequestDto.from(await this.decisions.approve(caller, id));
  }

  /** Declines a pending request. */
  @Post(':id/decline')
  @HttpCode(200)
  async decline(@Caller() caller: Principal, @PathId() id: string): Promise<AccessRequestDto> {
    return AccessRequestDto.from(await this.decisions.decline(caller, id));
  }
}
