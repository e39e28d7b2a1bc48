import type { ApiResponse, Client } from '../support/client.js';

export const groupSchema = 'urn:ietf:params:scim:schemas:core:2.0:Group';
export const patchSchema = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

export interface Member {
  value: string;
  type: 'User' | 'Group';
  $ref: string;
}

export interface GroupResource {
  schemas: string[];
  id: string;
  externalId?: string;
  displayName: string;
  members?: Member[];
  meta: { resourceType: string; created: string; lastModified: string; location: string };
}

export interface GroupList {
  schemas: string[];
  totalResults: number;
  startIndex: number;
  itemsPerPage: number;
  Resources: GroupResource[];
}

export interface ScimError {
  schemas: string[];
  status: string;
  scimType?: string;
  detail: string;
}

type Response<T> = Promise<ApiResponse<T & ScimError>>;
interface Identified {
  id: string;
}

const type = { 'content-type': 'application/scim+json' };

/** Requests to `/scim/v2/Groups` as a provisioning client. */
export class GroupClient {
  constructor(readonly api: Client) {}

  list(query = ''): Response<GroupList> {
    return this.api.get(`/scim/v2/Groups${query}`);
  }

  find(filter: string, query = ''): Response<GroupList> {
    return this.list(`?filter=${encodeURIComponent(filter)}${query}`);
  }

  get({ id }: Identified, query = ''): Response<GroupResource> {
    return this.api.get(`/scim/v2/Groups/${id}${query}`);
  }

  create(group: object, query = ''): Response<GroupResource> {
    const body = { schemas: [groupSchema], ...group };
    return this.api.send('POST', `/scim/v2/Groups${query}`, { body, headers: type });
  }

  replace({ id }: Identified, group: object, query = ''): Response<GroupResource> {
    const body = { schemas: [groupSchema], id, ...group };
    return this.api.send('PUT', `/scim/v2/Groups/${id}${query}`, { body, headers: type });
  }

  patch({ id }: Identified, operations: unknown, query = ''): Response<GroupResource> {
    const body = { schemas: [patchSchema], Operations: operations };
    return this.api.send('PATCH', `/scim/v2/Groups/${id}${query}`, { body, headers: type });
  }

  delete({ id }: Identified): Response<object> {
    return this.api.delete(`/scim/v2/Groups/${id}`);
  }

  /** The ids of the members in order; undefined without the attribute. */
  async members(group: Identified): Promise<string[] | undefined> {
    return (await this.get(group)).body.members?.map(({ value }) => value).toSorted();
  }
}
