import { ArrayMaxSize, IsArray } from 'class-validator';
import { IsId, OptionalField } from '../../../core/validation/validators.js';

const MAX_ADDED = 1000;

export class AddGroupMembersDto {
  /** Ids of people and service accounts. */
  @OptionalField()
  @IsArray()
  @ArrayMaxSize(MAX_ADDED)
  @IsId({ each: true })
  users: string[] = [];

  /** Ids of groups. */
  @OptionalField()
  @IsArray()
  @ArrayMaxSize(MAX_ADDED)
  @IsId({ each: true })
  groups: string[] = [];
}
