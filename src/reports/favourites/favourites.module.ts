import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EmbedModule } from '../../embed/embed.module.js';
import { ReportsModule } from '../reports.module.js';
import { Favourite } from './favourite.entity.js';
import { FavouritesController } from './favourites.controller.js';
import { FavouritesService } from './favourites.service.js';
import { RecentReportsService } from './recent-reports.service.js';

@Module({
  imports: [EmbedModule, ReportsModule, TypeOrmModule.forFeature([Favourite])],
  controllers: [FavouritesController],
  providers: [FavouritesService, RecentReportsService],
  exports: [RecentReportsService],
})
export class FavouritesModule {}
