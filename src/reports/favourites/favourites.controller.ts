import { Controller, Delete, Get, HttpCode, Put } from '@nestjs/common';
import { PathId } from '../../core/validation/path-id.js';
import { Caller } from '../../core/http/access.js';
import type { Principal } from '../../core/http/principal.js';
import { ReportDto } from '../dto/report.dto.js';
import { FavouriteListDto, RecentListDto } from './dto/favourites.dto.js';
import { FavouritesService } from './favourites.service.js';
import { RecentReportsService } from './recent-reports.service.js';

@Controller('api')
export class FavouritesController {
  constructor(
    private readonly favourites: FavouritesService,
    private readonly recents: RecentReportsService,
  ) {}

  /** Lists your favourite reports, newest first. Reports that you cannot see now are left out. */
  @Get('users/me/favourites')
  async list(@Caller() caller: Principal): Promise<FavouriteListDto> {
    return { favourites: (await this.favourites.list(caller)).map(ReportDto.from) };
  }

  /** Lists the reports that you opened last, at most 20. Reports that you cannot see now are left out. */
  @Get('users/me/recents')
  async listRecents(@Caller() caller: Principal): Promise<RecentListDto> {
    return { recents: (await this.recents.list(caller)).map(ReportDto.from) };
  }

  /** Adds a report to your favourites. */
  @Put('reports/:id/favourite')
  @HttpCode(204)
  add(@Caller() caller: Principal, @PathId() id: string): Promise<void> {
    return this.favourites.add(caller, id);
  }

  /** Removes a report from your favourites. */
  @Delete('reports/:id/favourite')
  @HttpCode(204)
  remove(@Caller() caller: Principal, @PathId() id: string): Promise<void> {
    return this.favourites.remove(caller, id);
  }
}
