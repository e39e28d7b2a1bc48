import type { ReportDto } from '../../dto/report.dto.js';

export class FavouriteListDto {
  favourites!: ReportDto[];
}

export class RecentListDto {
  recents!: ReportDto[];
}
