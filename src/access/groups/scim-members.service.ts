import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AuditService } from '../../platform/audit/audit.service.js';
import type { Principal } from '../../core/http/principal.js';
import { chunksOf } from '../../core/lists/chunks.js';
import { InvalidRequest } from '../../core/problems/problem.js';
import { isUuid } from '../../core/validation/text.js';
import { findScimPeople } from '../../users/scim-users.queries.js';
import { lockUsers } from '../../users/users.queries.js';
import { GroupClosureService } from './group-closure.service.js';
import { lockNesting } from './group-edges.queries.js';
import { memberEntries } from './group-entries.js';
import { findGroups, type NamedGroup } from './groups.queries.js';
import { findScimMembers } from './scim-groups.queries.js';

type Actor = Pick<Principal, 'id'>;

/** Ids of people and groups in lower case, without their types: clients omit them. */
export interface MemberChange {
  /** Whether `added` are all members afterwards. */
  isReplaced: boolean;
  added: readonly string[];
  /** May contain ids that are not members. */
  removed: readonly string[];
}

interface Members {
  users: string[];
  groups: string[];
}

/** Bounds statements over the people of a large group below the statement timeout. */
const BATCH = 5000;
const MAX_NAMED = 10;

/** Direct members of groups from SCIM. */
@Injectable()
export class ScimMembersService {
  constructor(
    private readonly closure: GroupClosureService,
    private readonly audit: AuditService,
  ) {}

  /**
   * Adds and removes members: all of them, or none. The caller has locked the group with `lockScimGroup` and holds no
   * other lock. Returns whether a membership changed. Throws InvalidRequest for unknown ids, GroupCycle or GroupTooDeep.
   */
  async change(tx: EntityManager, caller: Actor, group: NamedGroup, change: MemberChange): Promise<boolean> {
    const { added, removed } = await differences(tx, group.id, change);
    if (added.length + removed.length === 0) return false;
    const nested = await groupsAmong(tx, [...added, ...removed]);
    if (nested.size > 0) await lockNesting(tx);
    await lockPeople(tx, [...added, ...removed], nested);
    const joining = await resolve(tx, added, nested);
    const leaving = {
      users: removed.filter((id) => !nested.has(id)),
      groups: removed.filter((id) => nested.has(id)),
    };
    const left: Members = {
      users: await this.changePeople(tx, 'removePeople', group, leaving.users),
      groups: [],
    };
    const joined: Members = {
      users: await this.changePeople(tx, 'addPeople', group, joining.users),
      groups: [],
    };
    if (nested.size > 0) {
      const groups = await findGroups(tx, joining.groups);
      left.groups = await this.closure.removeGroups(tx, group.id, leaving.groups, 'scim');
      joined.groups = await this.closure.addGroups(tx, group, groups, 'scim');
    }
    await this.record(tx, caller, 'group_member_removed', group, left);
    await this.record(tx, caller, 'group_member_added', group, joined);
    return [left, joined].some(({ users, groups }) => users.length + groups.length > 0);
  }

  /** Returns those whose membership changed. */
  private async changePeople(
    tx: EntityManager,
    change: 'addPeople' | 'removePeople',
    { id }: NamedGroup,
    users: readonly string[],
  ): Promise<string[]> {
    const changed: string[] = [];
    for (const batch of chunksOf(users, BATCH)) {
      const edges = await this.closure[change](tx, { groups: [id], users: batch, source: 'scim' });
      for (const { user } of edges) changed.push(user);
    }
    return changed;
  }

  private record(
    tx: EntityManager,
    caller: Actor,
    action: 'group_member_added' | 'group_member_removed',
    { id: group }: NamedGroup,
    { users, groups }: Members,
  ): Promise<void> {
    const ofType = { group, source: 'scim' } as const;
    const entries = [
      ...memberEntries(action, caller, { ...ofType, type: 'user', members: users }),
      ...memberEntries(action, caller, { ...ofType, type: 'group', members: groups }),
    ];
    return this.audit.recordAll(tx, entries);
  }
}

/** Returns the ids to add, which may be unknown, and the ids to remove. */
async function differences(
  tx: EntityManager,
  group: string,
  change: MemberChange,
): Promise<{ added: string[]; removed: string[] }> {
  const added = [...new Set(change.added)];
  if (!change.isReplaced) {
    const removed = new Set(change.removed);
    return { added, removed: [...removed].filter(isUuid) };
  }
  // With those whom SCIM deleted: whoever comes back is a member only if the provider sends the membership again.
  const current = (await findScimMembers(tx, [group])).map(({ id }) => id);
  const [before, after] = [new Set(current), new Set(added)];
  return { added: added.filter((id) => !before.has(id)), removed: current.filter((id) => !after.has(id)) };
}

async function groupsAmong(tx: EntityManager, members: readonly string[]): Promise<ReadonlySet<string>> {
  const found = await findGroups(tx, members.filter(isUuid));
  return new Set(found.map(({ id }) => id));
}

async function lockPeople(
  tx: EntityManager,
  members: readonly string[],
  nested: ReadonlySet<string>,
): Promise<void> {
  const users = members.filter((id) => isUuid(id) && !nested.has(id)).toSorted();
  for (const batch of chunksOf(users, BATCH)) await lockUsers(tx, batch, 'NO KEY UPDATE');
}

/** Throws InvalidRequest unless every id is a person or, among `nested`, a group of SCIM. */
async function resolve(
  tx: EntityManager,
  ids: readonly string[],
  nested: ReadonlySet<string>,
): Promise<Members> {
  const found = await findGroups(
    tx,
    ids.filter((id) => nested.has(id)),
  );
  const groups = found.filter(({ source }) => source === 'scim').map(({ id }) => id);
  const users = await findScimPeople(
    tx,
    ids.filter((id) => isUuid(id) && !nested.has(id)),
  );
  const known = new Set([...users, ...groups]);
  const unknown = ids.filter((id) => !known.has(id)).slice(0, MAX_NAMED);
  if (unknown.length === 0) return { users, groups };
  throw new InvalidRequest(
    unknown.map((id) => ({ pointer: '/members', detail: `no user or group has the id ${id}` })),
  );
}
