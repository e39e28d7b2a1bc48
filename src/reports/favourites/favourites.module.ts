import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ReportsModule } from '../reports.module.js';
import { Favourite, RecentReport } from './favourite.entity.js';
import { FavouritesController } from './favourites.controller.js';
import { FavouritesService } from './favourites.service.js';
import { RecentReportsService } from './recent-reports.service.js';

@Module({
  imports: [ReportsModule, TypeOrmModule.forFeature([Favourite, RecentReport])],
  controllers: [FavouritesController],
  providers: [FavouritesService, RecentReportsService],
  exports: [RecentReportsService],
})
export class FavouritesModule {}
