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
