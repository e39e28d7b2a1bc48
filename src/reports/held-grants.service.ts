import { Injectable } from '@nestjs/common';
import { Clock } from '../core/clock.js';
import { DatabaseService } from '../core/database/database.service.js';
import { Cursors, type Reader } from '../core/lists/cursors.js';
import { listPage, type Page } from '../core/lists/pagination.js';
import { type Chains, findGroupChains, findOuterChains } from '../access/groups/group-chains.queries.js';
import { walkUp } from '../access/groups/group-edges.queries.js';
import { GroupsService } from '../access/groups/groups.service.js';
import { UsersService } from '../users/users.service.js';
import { heldGrantSortKeys, type ListHeldGrantsQuery } from './dto/grant.dto.js';
import {
  countHeldGrants,
  type GrantCounts,
  type GrantHolder,
  type HeldGrant,
  listHeldGrants,
} from './held-grants.queries.js';

/** A grant, and the names of the groups through which the holder has it; empty for a grant of its own. */
export type ListedGrant = HeldGrant & { path: string[] };

/** The active grants of one user, service account or group, its own and through groups. */
@Injectable()
export class HeldGrantsService {
  constructor(
    private readonly users: UsersService,
    private readonly groups: GroupsService,
    private readonly database: DatabaseService,
    private readonly cursors: Cursors,
    private readonly clock: Clock,
  ) {}

  /** Throws UserNotFound. */
  async ofUser(reader: Reader, userId: string, query: ListHeldGrantsQuery): Promise<Page<ListedGrant>> {
    const { id } = await this.users.get(userId);
    const page = await this.list(reader, { userId: id }, query, { userId: id });
    return withPaths(page, (holders) => findGroupChains(this.database.manager, id, holders, 0));
  }

  count(userId: string): Promise<GrantCounts> {
    return countHeldGrants(this.database.manager, { holder: { userId }, now: this.clock.now() });
  }

  /** The paths do not include the group. Throws GroupNotFound. */
  async ofGroup(reader: Reader, group: string, query: ListHeldGrantsQuery): Promise<Page<ListedGrant>> {
    const { id } = await this.groups.get(group);
    const { manager } = this.database;
    const { groups } = await walkUp(manager, [id]);
    const page = await this.list(reader, { groupIds: groups }, query, { group: id });
    const { items, next } = await withPaths(page, (holders) => findOuterChains(manager, id, groups, holders));
    return { items: items.map((grant) => ({ ...grant, path: grant.path.slice(0, -1) })), next };
  }

  private list(
    reader: Reader,
    holder: GrantHolder,
    { role, q, ...page }: ListHeldGrantsQuery,
    of: Record<string, string>,
  ): Promise<Page<HeldGrant>> {
    const query = { holder, now: this.clock.now(), role, q };
    return listPage(
      { name: 'held grants', read: (keyset) => listHeldGrants(this.database.manager, { ...query, keyset }) },
      { reader, ...page, q, keys: heldGrantSortKeys, filters: { ...of, role } },
      this.cursors,
    );
  }
}

async function withPaths(
  { items, next }: Page<HeldGrant>,
  chainsOf: (groups: readonly string[]) => Promise<Chains>,
): Promise<Page<ListedGrant>> {
  const chains = await chainsOf([...new Set(items.flatMap(({ viaGroup }) => viaGroup ?? []))]);
  const pathOf = ({ viaGroup }: HeldGrant) => (chains.get(viaGroup ?? '')?.[0] ?? []).map(({ name }) => name);
  return { items: items.map((grant) => ({ ...grant, path: pathOf(grant) })), next };
}
