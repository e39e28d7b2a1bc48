import { Controller, Get, Param, Query } from '@nestjs/common';
import { Caller } from '../core/http/access.js';
import type { Principal } from '../core/http/principal.js';
import { IdParam } from '../core/validation/id.dto.js';
import { CandidatesService } from './candidates.service.js';
import { CandidateDto, CandidateListDto, CandidatesQueryDto } from './dto/candidate.dto.js';

@Controller('api/workspaces/:id/candidates')
export class CandidatesController {
  constructor(private readonly candidates: CandidatesService) {}

  /**
   * Finds people and groups that can be granted access to the workspace or its reports. Requires the role manager in the
   * workspace; managers find those that share a workspace with them.
   */
  @Get()
  async find(
    @Caller() caller: Principal,
    @Param() { id }: IdParam,
    @Query() query: CandidatesQueryDto,
  ): Promise<CandidateListDto> {
    return { candidates: (await this.candidates.find(caller, id, query)).map(CandidateDto.from) };
  }
}
