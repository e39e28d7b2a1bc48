import { MaxLength } from 'class-validator';
import { WholeNumber } from '../../../core/lists/list-query.dto.js';
import { IsText, OptionalField } from '../../../core/validation/validators.js';

export const MAX_RESULTS = 20;

export class SearchQuery {
  /**
   * Part of a name, without regard to case and accents; of users also of the email address. One or two letters or digits match the
   * beginnings of words. If empty, the response starts with the reports that the caller opened last.
   */
  @OptionalField()
  @IsText()
  @MaxLength(100)
  q: string = '';

  /** The maximum number of results. */
  @WholeNumber(1, MAX_RESULTS)
  limit: number = MAX_RESULTS;
}

export class SearchResultDto {
  type!: 'report' | 'workspace' | 'user';
  id!: string;
  name!: string;
  /** Only of reports. */
  workspace_id?: string;
  /** Only of reports. */
  workspace_name?: string;
  /** Only of users. */
  email?: string;
}

export class SearchResultsDto {
  results!: SearchResultDto[];
}
