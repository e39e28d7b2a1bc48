import { ArrayMaxSize, IsArray } from 'class-validator';
import { IsId, OptionalField } from '../../../core/validation/validators.js';
import type { ListedMember } from '../group-members.service.js';

export class GroupMemberDto {
  type!: 'user' | 'group';
  /** Id of the user, service account or group. */
  id!: string;
  name!: string;
  /** Email address of a person. */
  email?: string;
  /**
   * With `effective=true`: the names of the groups from this group down to the one that contains the person directly,
   * without this group; empty for a direct member. Of several paths, the shortest.
   */
  path?: string[];

  static from({ type, id, name, email, path }: ListedMember): GroupMemberDto {
    return {
      type,
      id,
      name,
      ...(email !== null && { email }),
      ...(path !== undefined && { path: [...path] }),
    };
  }
}

export class GroupMemberListDto {
  members!: GroupMemberDto[];
}

export class AddGroupMembersDto {
  /** Ids of people and service accounts, at most 1,000. */
  @OptionalField()
  @IsArray()
  @ArrayMaxSize(1000)
  @IsId({ each: true })
  users: string[] = [];

  /** Ids of groups, at most 1,000. */
  @OptionalField()
  @IsArray()
  @ArrayMaxSize(1000)
  @IsId({ each: true })
  groups: string[] = [];
}
