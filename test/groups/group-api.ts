import type { Group } from '../../src/access/groups/group.entity.js';
import type { User } from '../../src/users/user.entity.js';
import type { ApiResponse, Client } from '../support/client.js';
import type { Service } from '../support/service.js';

export interface GroupBody {
  id: string;
  name: string;
  description: string | null;
  source: string;
  member_count: number;
  created_at: string;
}

export interface MemberBody {
  type: 'user' | 'group';
  id: string;
  name: string;
  email?: string;
  path?: string[];
}

type Named = Pick<Group, 'id'>;
type Member = Pick<Group | User, 'id'>;

/** Requests to the routes of groups, as one caller. */
export class GroupApi {
  constructor(readonly api: Client) {}

  add(group: Named, member: Member): Promise<ApiResponse> {
    return this.api.put(memberPath(group, member));
  }

  remove(group: Named, member: Member): Promise<ApiResponse> {
    return this.api.delete(memberPath(group, member));
  }

  addAll(group: Named, body: object): Promise<ApiResponse> {
    return this.api.post(`/api/groups/${group.id}/members`, body);
  }

  delete(group: Named): Promise<ApiResponse> {
    return this.api.delete(`/api/groups/${group.id}`);
  }

  async members(group: Named, query = ''): Promise<MemberBody[]> {
    const path = `/api/groups/${group.id}/members${query}`;
    return (await this.api.get<{ members: MemberBody[] }>(path)).body.members;
  }

  /** The names of all people, and how each is in the group. */
  async people(group: Named): Promise<Record<string, string>> {
    const members = await this.members(group, '?effective=true');
    return Object.fromEntries(members.map(({ name, path }) => [name, (path ?? []).join('/')]));
  }

  async count(group: Named): Promise<number> {
    return (await this.api.get<GroupBody>(`/api/groups/${group.id}`)).body.member_count;
  }
}

const memberPath = (group: Named, member: Member): string =>
  `/api/groups/${group.id}/members/${'role' in member ? 'users' : 'groups'}/${member.id}`;

/** The actions and details of the audit events of a group, oldest first. */
export const eventsOf = async (
  { database }: Service,
  { id }: Named,
): Promise<{ action: string; details: object }[]> =>
  database.query(
    `SELECT action, details FROM audit_events WHERE target_type = 'group' AND target_id = $1 ORDER BY id`,
    [id],
  );

/** Rows of `group_members_all` that differ from a walk over the edges. */
export const wrongRows = ({ database }: Service): Promise<object[]> =>
  database.query(
    `WITH RECURSIVE walk AS (
       SELECT user_id, group_id FROM group_edges WHERE user_id IS NOT NULL
       UNION SELECT walk.user_id, edge.group_id FROM walk JOIN group_edges edge ON edge.member_group_id = walk.group_id
     )
     (SELECT 'missing' AS kind, * FROM (TABLE walk EXCEPT SELECT user_id, group_id FROM group_members_all) AS missing)
     UNION ALL
     (SELECT 'surplus', * FROM (SELECT user_id, group_id FROM group_members_all EXCEPT TABLE walk) AS surplus)`,
  );

/** The bodies of all pages of a list. */
export async function pagesOf<T>(api: Client, first: string): Promise<T[]> {
  const pages: T[] = [];
  for (let path: string | undefined = first; path !== undefined;) {
    const response: ApiResponse<T> = await api.get<T>(path);
    pages.push(response.body);
    path = /<(.*)>/.exec(response.headers.get('link') ?? '')?.[1];
  }
  return pages;
}
