import { Module } from '@nestjs/common';
import { ReportsModule } from '../reports.module.js';
import { FavouritesController } from './favourites.controller.js';
import { FavouritesService } from './favourites.service.js';
import { RecentReportsService } from './recent-reports.service.js';

@Module({
  imports: [ReportsModule],
  controllers: [FavouritesController],
  providers: [FavouritesService, RecentReportsService],
  exports: [RecentReportsService],
})
export class FavouritesModule {}
