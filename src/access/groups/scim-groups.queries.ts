// SQL, because a filter of the client determines the condition, and members are of two kinds.
import type { EntityManager } from 'typeorm';
import { queryRows } from '../../core/database/execute.js';
import { type Offset, type OffsetCondition, offsetPage } from '../../core/lists/offset-page.js';
import { isNotDeletedByScim } from '../../users/scim-users.queries.js';
import { uniqueName } from './groups.queries.js';
import { Group } from './group.entity.js';

/** A group as SCIM clients see it. */
export type ScimGroup = Pick<Group, 'id' | 'name' | 'externalId' | 'createdAt'> & { updatedAt: Date };

/** A direct member from SCIM. */
export interface ScimMember {
  group: string;
  type: 'user' | 'group';
  id: string;
}

/** SQL columns and expressions of `groups` that a SCIM filter compares. Names ignore case. */
export const scimColumns = {
  id: 'groups.id',
  name: uniqueName('groups.name'),
  externalId: 'groups.external_id',
};

/** SQL condition: whether SCIM made this user or group a direct member. The value is a parameter of type uuid. */
export const hasScimMember = (id: string): string =>
  `groups.id IN (SELECT group_id FROM group_edges WHERE source = 'scim' AND user_id = ${id}
       AND ${isNotDeletedByScim('user_id')}
     UNION ALL SELECT group_id FROM group_edges WHERE source = 'scim' AND member_group_id = ${id})`;

const columns = `id, name, external_id AS "externalId", created_at AS "createdAt",
  coalesce(updated_at, created_at) AS "updatedAt"`;

/** One page of the groups of SCIM in the order of their creation, and the number of all that match. */
export const listScimGroups = (
  manager: EntityManager,
  condition: OffsetCondition,
  page: Offset,
): Promise<{ total: number; items: ScimGroup[] }> =>
  offsetPage(manager, { columns, from: `FROM groups WHERE source = 'scim'`, condition }, page);

const asScim = (group: Group | null): ScimGroup | undefined =>
  group === null ? undefined : { ...group, updatedAt: group.updatedAt ?? group.createdAt };

export const findScimGroup = async (manager: EntityManager, id: string): Promise<ScimGroup | undefined> =>
  asScim(await manager.findOneBy(Group, { id, source: 'scim' }));

/** Serializes changes of one group by SCIM. Take it before `lockNesting`. */
export const lockScimGroup = async (tx: EntityManager, id: string): Promise<ScimGroup | undefined> =>
  asScim(await tx.findOne(Group, { where: { id, source: 'scim' }, lock: { mode: 'for_no_key_update' } }));

/** The direct members of these groups from SCIM, also people whom SCIM deleted. */
export const findScimMembers = (manager: EntityManager, groups: readonly string[]): Promise<ScimMember[]> =>
  readMembers(manager, groups, 'true', null);

/** The direct members of these groups that exist for SCIM, at most `limit`. */
export const listScimMembers = (
  manager: EntityManager,
  groups: readonly string[],
  limit: number | null = null,
): Promise<ScimMember[]> => readMembers(manager, groups, isNotDeletedByScim('user_id'), limit);

function readMembers(
  manager: EntityManager,
  groups: readonly string[],
  condition: string,
  limit: number | null,
): Promise<ScimMember[]> {
  return queryRows<ScimMember>(
    manager,
    `SELECT group_id AS "group", CASE WHEN user_id IS NULL THEN 'group' ELSE 'user' END AS type,
       coalesce(user_id, member_group_id) AS id
     FROM group_edges WHERE group_id = ANY($1::uuid[]) AND source = 'scim' AND ${condition} ORDER BY 3 LIMIT $2`,
    [groups, limit],
  );
}

export const updateScimGroup = (
  tx: EntityManager,
  { id, name, externalId }: Pick<ScimGroup, 'id' | 'name' | 'externalId'>,
  now: Date,
): Promise<unknown> => tx.update(Group, { id }, { name, externalId, updatedAt: now });
