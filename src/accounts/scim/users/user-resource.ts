import type { ScimUser } from '../../../users/scim-users.queries.js';
import { ENTERPRISE_SCHEMA, USER_SCHEMA } from '../schemas.js';

const enterprise = ['employeeNumber', 'costCenter', 'organization', 'division', 'department'] as const;

const present = (object: Record<string, string | null | undefined>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(object).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );

/** A person as SCIM returns it. Attributes without a value are omitted. */
export function userResource(user: ScimUser, baseUrl: string): Record<string, unknown> {
  const { attributes } = user;
  const { manager } = attributes;
  const extension = {
    ...present(Object.fromEntries(enterprise.map((name) => [name, attributes[name]]))),
    ...(manager !== undefined && { manager: { value: manager } }),
  };
  const isExtended = Object.keys(extension).length > 0;
  return {
    schemas: isExtended ? [USER_SCHEMA, ENTERPRISE_SCHEMA] : [USER_SCHEMA],
    id: user.id,
    ...present({ externalId: user.externalId }),
    userName: user.userName,
    name: { formatted: user.name, ...present({ givenName: user.givenName, familyName: user.familyName }) },
    displayName: user.name,
    ...present({ title: attributes.title, userType: attributes.userType }),
    emails: [{ value: user.email, type: 'work', primary: true }],
    active: user.status === 'active',
    ...(isExtended && { [ENTERPRISE_SCHEMA]: extension }),
    meta: {
      resourceType: 'User',
      created: user.createdAt,
      lastModified: user.updatedAt,
      location: `${baseUrl}/Users/${user.id}`,
    },
  };
}
