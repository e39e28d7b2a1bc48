import { MaxLength } from 'class-validator';
import { WholeNumber } from '../../core/lists/list-query.dto.js';
import { IsText, OptionalField } from '../../core/validation/validators.js';
import type { Holder } from '../../access/grants/grant.js';
import type { Candidate } from '../candidates.queries.js';

const MAX_CANDIDATES = 100;

export class CandidatesQueryDto {
  /** Part of a name or email address, case-insensitively. One or two letters or digits match the beginnings of words. */
  @OptionalField()
  @IsText()
  @MaxLength(200)
  q: string = '';

  /** The maximum number of candidates. */
  @WholeNumber(1, MAX_CANDIDATES)
  limit: number = 20;
}

export class CandidateDto {
  type!: Holder['type'];
  id!: string;
  name!: string;
  /** Null for groups and service accounts. */
  email!: string | null;
  /** People in the group, directly and through other groups; null for people and service accounts. */
  member_count!: number | null;

  static from({ type, id, name, email, memberCount }: Candidate): CandidateDto {
    return { type, id, name, email, member_count: memberCount };
  }
}

export class CandidateListDto {
  candidates!: CandidateDto[];
}
