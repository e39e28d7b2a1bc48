import { Body, Controller, Get, Patch, Query } from '@nestjs/common';
import { PathId } from '../core/validation/path-id.js';
import { Caller } from '../core/http/access.js';
import { Links, PageLinks } from '../core/lists/pagination.js';
import type { Principal } from '../core/http/principal.js';
import {
  ChangeWorkspaceSettingsDto,
  ListWorkspacesQuery,
  WorkspaceDto,
  WorkspaceListDto,
  WorkspaceSettingsDto,
} from './dto/workspace.dto.js';
import { ManagedWorkspacesService } from './managed-workspaces.service.js';
import { WorkspacesService } from './workspaces.service.js';

@Controller('api/workspaces')
export class WorkspacesController {
  constructor(
    private readonly workspaces: WorkspacesService,
    private readonly managed: ManagedWorkspacesService,
  ) {}

  /** Lists the workspaces that the caller may see. */
  @Get()
  async list(
    @Caller() caller: Principal,
    @Query() query: ListWorkspacesQuery,
    @Links() links: PageLinks,
  ): Promise<WorkspaceListDto> {
    return { workspaces: links.from(await this.workspaces.list(caller, query)).map(WorkspaceDto.from) };
  }

  /** Gets a workspace. */
  @Get(':id')
  async get(@Caller() caller: Principal, @PathId() id: string): Promise<WorkspaceDto> {
    return WorkspaceDto.from(await this.workspaces.get(caller, id));
  }

  /** Gets the settings of a workspace. */
  @Get(':id/settings')
  async getSettings(@Caller() caller: Principal, @PathId() id: string): Promise<WorkspaceSettingsDto> {
    return WorkspaceSettingsDto.from(await this.workspaces.get(caller, id));
  }

  /** Changes the settings of a workspace that the caller manages. */
  @Patch(':id/settings')
  async changeSettings(
    @Caller() caller: Principal,
    @PathId() id: string,
    @Body() changes: ChangeWorkspaceSettingsDto,
  ): Promise<WorkspaceSettingsDto> {
    return WorkspaceSettingsDto.from(await this.managed.changeSettings(caller, id, changes));
  }
}
