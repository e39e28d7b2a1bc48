import { Controller, Get, Query } from '@nestjs/common';
import { Caller } from '../../core/http/access.js';
import type { Principal } from '../../core/http/principal.js';
import { SearchQuery, SearchResultsDto } from './dto/search.dto.js';
import { SearchService } from './search.service.js';

@Controller('api/search')
export class SearchController {
  constructor(private readonly searches: SearchService) {}

  /** Searches reports and workspaces that the caller may see and, for admins, users. Best matches come first. */
  @Get()
  async search(@Caller() caller: Principal, @Query() query: SearchQuery): Promise<SearchResultsDto> {
    return { results: await this.searches.search(caller, query) };
  }
}
