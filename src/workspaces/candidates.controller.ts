import { Controller, Get, Query } from '@nestjs/common';
import { PathId } from '../core/validation/path-id.js';
import { Caller } from '../core/http/access.js';
import type { Principal } from '../core/http/principal.js';
import { CandidateDto, CandidateListDto, CandidatesQueryDto } from './dto/candidate.dto.js';
import { ManagedWorkspacesService } from './managed-workspaces.service.js';

@Controller('api/workspaces/:id/candidates')
export class CandidatesController {
  constructor(private readonly managed: ManagedWorkspacesService) {}

  /**
   * Finds people and groups that can be granted access to the workspace or its reports. Requires the role manager in the
   * workspace; managers find those that share a workspace with them.
   */
  @Get()
  async find(
    @Caller() caller: Principal,
    @PathId() id: string,
    @Query() query: CandidatesQueryDto,
  ): Promise<CandidateListDto> {
    return { candidates: (await this.managed.candidates(caller, id, query)).map(CandidateDto.from) };
  }
}
