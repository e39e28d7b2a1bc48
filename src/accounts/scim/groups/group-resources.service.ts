import { Injectable } from '@nestjs/common';
import type { Principal } from '../../../core/http/principal.js';
import { GroupCycle, GroupNotFound, GroupTooDeep } from '../../../access/groups/groups.errors.js';
import {
  type ScimGroup,
  hasScimMember,
  scimColumns,
  type ScimMember,
} from '../../../access/groups/scim-groups.queries.js';
import { ScimGroupsService } from '../../../access/groups/scim-groups.service.js';
import { isSelected, selectAttributes } from '../attribute-selection.js';
import { filterCondition, type Comparison, type Comparisons, id, text } from '../filter.js';
import { ScimAddress } from '../scim-address.js';
import { invalid } from '../scim.errors.js';
import { listResponse, pageOf, ScimListQuery, ScimSelectionQuery } from '../scim-list.js';
import { groupBody, groupPatch } from './group-body.js';
import { canonicalName, toUuid } from '../../../core/validation/text.js';
import { uniqueName } from '../../../access/groups/groups.queries.js';
import { GROUP_SCHEMA } from '../schemas.js';

/** A group as SCIM returns it; without members if they are excluded. */
function groupResource(
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

const inLowerCase = text(scimColumns.name, { isCaseless: true });

/** Names are compared as they are for uniqueness. */
const displayName: Comparison = (op, value, parameters) =>
  op === 'eq' && typeof value === 'string'
    ? `${scimColumns.name} = ${uniqueName(`${parameters.add(canonicalName(value))}::text`)}`
    : inLowerCase(op, value, parameters);

const member = id(hasScimMember);

const groupComparisons: Comparisons = {
  id: id((placeholder) => `${scimColumns.id} = ${placeholder}`),
  displayname: displayName,
  externalid: text(scimColumns.externalId),
  'members.value': member,
  // Microsoft Entra ID checks a reference in this form.
  members: member,
};

type Resource = object;

/** Bounds the memory of one response. */
const MAX_LISTED_MEMBERS = 200_000;

/** Groups in the form of SCIM. */
@Injectable()
export class GroupResourcesService {
  constructor(
    private readonly groups: ScimGroupsService,
    private readonly address: ScimAddress,
  ) {}

  /** Throws ScimError for a filter that is not supported, and for more members than fit into a response. */
  async list(query: ScimListQuery): Promise<Resource> {
    const page = pageOf(query);
    const condition = filterCondition(query.filter, groupComparisons);
    const { total, items } = await this.groups.list(condition, page);
    return listResponse(total, page, await this.resourcesOf(items, query, MAX_LISTED_MEMBERS));
  }

  /** Throws GroupNotFound. */
  async get(id: string, query: ScimSelectionQuery): Promise<Resource> {
    const [resource] = await this.resourcesOf([await this.groups.get(existing(id))], query);
    return resource ?? {};
  }

  /** Throws ScimError and what `ScimGroupsService.create` throws. */
  async create(
    caller: Principal,
    body: unknown,
    query: ScimSelectionQuery,
  ): Promise<{ location: string; resource: Resource }> {
    const id = await nested(this.groups.create(caller, groupBody(body, false)));
    return { location: `${this.address.url}/Groups/${id}`, resource: await this.get(id, query) };
  }

  /** Throws ScimError and what `ScimGroupsService.change` throws. */
  async replace(caller: Principal, id: string, body: unknown, query: ScimSelectionQuery): Promise<Resource> {
    await nested(this.groups.change(caller, existing(id), groupBody(body, true)));
    return this.get(id, query);
  }

  /** Undefined unless the query selects attributes: a group may be large. Throws as `replace` does. */
  async patch(
    caller: Principal,
    id: string,
    body: unknown,
    query: ScimSelectionQuery,
  ): Promise<Resource | undefined> {
    await nested(this.groups.change(caller, existing(id), groupPatch(body)));
    if (query.attributes === undefined && query.excludedAttributes === undefined) return undefined;
    return this.get(id, query);
  }

  /** Throws GroupNotFound. */
  async remove(caller: Principal, id: string): Promise<void> {
    await this.groups.remove(caller, existing(id));
  }

  private async resourcesOf(
    groups: readonly ScimGroup[],
    query: ScimSelectionQuery,
    maxMembers?: number,
  ): Promise<Resource[]> {
    const { url } = this.address;
    if (!isSelected('members', query)) {
      return groups.map((group) => selectAttributes(groupResource(group, undefined, url), query));
    }
    const limit = maxMembers === undefined ? undefined : maxMembers + 1;
    const members = await this.groups.listMembers(
      groups.map(({ id }) => id),
      limit,
    );
    if (members.length === limit) {
      invalid(
        'tooMany',
        'The groups have too many members: send excludedAttributes=members, or a smaller count',
      );
    }
    const byGroup = Map.groupBy(members, ({ group }) => group);
    return groups.map((group) =>
      selectAttributes(groupResource(group, byGroup.get(group.id) ?? [], url), query),
    );
  }
}

/** The id as the database writes it. Throws GroupNotFound for an id that no group can have. */
function existing(resourceId: string): string {
  const id = toUuid(resourceId);
  if (id === null) throw new GroupNotFound();
  return id;
}

/** SCIM has no conflict but uniqueness: members that cannot be nested are invalid values. */
async function nested<T>(change: Promise<T>): Promise<T> {
  try {
    return await change;
  } catch (error) {
    if (error instanceof GroupCycle || error instanceof GroupTooDeep)
      return invalid('invalidValue', error.detail);
    throw error;
  }
}
