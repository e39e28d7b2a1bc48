import { Controller, Get, Query } from '@nestjs/common';
import { PathId } from '../core/validation/path-id.js';
import { Caller } from '../core/http/access.js';
import type { Principal } from '../core/http/principal.js';
import { Links, PageLinks } from '../core/lists/pagination.js';
import { ListViewersQuery, ViewerDto, ViewerListDto } from './dto/viewer.dto.js';
import { ViewersService } from './viewers.service.js';

@Controller('api/reports/:id/viewers')
export class ViewersController {
  constructor(private readonly viewers: ViewersService) {}

  /**
   * Lists everyone who can see the report now, with the strongest role and the groups that lead to it. Requires the role
   * manager in the report's workspace.
   */
  @Get()
  async list(
    @Caller() caller: Principal,
    @PathId() id: string,
    @Query() query: ListViewersQuery,
    @Links() links: PageLinks,
  ): Promise<ViewerListDto> {
    return { viewers: links.from(await this.viewers.list(caller, id, query)).map(ViewerDto.from) };
  }
}
