import { Module } from '@nestjs/common';
import { FavouritesModule } from '../../reports/favourites/favourites.module.js';
import { WorkspacesModule } from '../../workspaces/workspaces.module.js';
import { SearchController } from './search.controller.js';
import { SearchService } from './search.service.js';

@Module({
  imports: [FavouritesModule, WorkspacesModule],
  controllers: [SearchController],
  providers: [SearchService],
})
export class SearchModule {}
