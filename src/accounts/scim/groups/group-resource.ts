import type { ScimGroup, ScimMember } from '../../../access/groups/scim-groups.queries.js';
import { GROUP_SCHEMA } from '../schemas.js';

/** A group as SCIM returns it; without members if they are excluded. */
export function groupResource(
  group: ScimGroup,
  members: readonly ScimMember[] | undefined,
  baseUrl: string,
): Record<string, unknown> {
  return {
    schemas: [GROUP_SCHEMA],
    id: group.id,
    ...(group.externalId !== null && { externalId: group.externalId }),
    displayName: group.name,
    ...(members !== undefined && { members: members.map((member) => memberOf(member, baseUrl)) }),
    meta: {
      resourceType: 'Group',
      created: group.createdAt,
      lastModified: group.updatedAt,
      location: `${baseUrl}/Groups/${group.id}`,
    },
  };
}

const memberOf = ({ type, id }: ScimMember, baseUrl: string): Record<string, string> =>
  type === 'user'
    ? { value: id, type: 'User', $ref: `${baseUrl}/Users/${id}` }
    : { value: id, type: 'Group', $ref: `${baseUrl}/Groups/${id}` };
