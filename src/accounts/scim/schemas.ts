export const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const ENTERPRISE_SCHEMA = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
export const GROUP_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Group';

interface Attribute {
  name: string;
  type: 'string' | 'boolean' | 'complex' | 'reference';
  description: string;
  multiValued?: boolean;
  required?: boolean;
  caseExact?: boolean;
  uniqueness?: 'none' | 'server';
  mutability?: 'readOnly' | 'readWrite' | 'immutable';
  subAttributes?: Attribute[];
  referenceTypes?: string[];
}

/** With the characteristics that RFC 7643 (section 7) requires. */
function described({ subAttributes, referenceTypes, ...attribute }: Attribute): object {
  return {
    multiValued: false,
    required: false,
    caseExact: false,
    mutability: 'readWrite',
    returned: 'default',
    uniqueness: 'none',
    ...attribute,
    ...(subAttributes !== undefined && { subAttributes: subAttributes.map(described) }),
    ...(referenceTypes !== undefined && { referenceTypes }),
  };
}

const text = (name: string, description: string, more: Partial<Attribute> = {}): Attribute => ({
  name,
  type: 'string',
  description,
  ...more,
});

const user: Attribute[] = [
  text('userName', 'Unique, ignoring case', { required: true, uniqueness: 'server' }),
  text('externalId', 'Id of the person in the identity provider', { caseExact: true }),
  {
    name: 'name',
    type: 'complex',
    description: 'Parts of the name',
    subAttributes: [
      text('formatted', 'The full name: displayName, which takes precedence'),
      text('givenName', 'The given name'),
      text('familyName', 'The family name'),
    ],
  },
  text('displayName', 'The name that is shown to others'),
  {
    name: 'emails',
    type: 'complex',
    description: 'The email address; of several, the primary one',
    multiValued: true,
    subAttributes: [
      text('value', 'The address, unique', { uniqueness: 'server' }),
      text('type', 'Always work'),
      { name: 'primary', type: 'boolean', description: 'Always true' },
    ],
  },
  { name: 'active', type: 'boolean', description: 'Whether the person may sign in' },
  text('title', 'The job title'),
  text('userType', 'The relation to the organization, such as Employee'),
];

const enterprise: Attribute[] = [
  text('employeeNumber', 'The number of the employee'),
  text('costCenter', 'The cost center'),
  text('organization', 'The organization'),
  text('division', 'The division'),
  text('department', 'The department'),
  {
    name: 'manager',
    type: 'complex',
    description: 'The manager',
    subAttributes: [text('value', 'Id of the manager')],
  },
];

const group: Attribute[] = [
  text('displayName', 'Unique, ignoring case', { required: true, uniqueness: 'server' }),
  text('externalId', 'Id of the group in the identity provider', { caseExact: true, uniqueness: 'server' }),
  {
    name: 'members',
    type: 'complex',
    description: 'Direct members: users and groups',
    multiValued: true,
    subAttributes: [
      text('value', 'Id of the member', { mutability: 'immutable' }),
      {
        name: '$ref',
        type: 'reference',
        description: 'Address of the member',
        mutability: 'immutable',
        referenceTypes: ['User', 'Group'],
      },
      text('type', 'User or Group', { mutability: 'immutable' }),
    ],
  },
];

const schema = (id: string, name: string, description: string, attributes: Attribute[]) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'],
  id,
  name,
  description,
  attributes: attributes.map(described),
});

export const schemas = [
  schema(USER_SCHEMA, 'User', 'A person', user),
  schema(ENTERPRISE_SCHEMA, 'EnterpriseUser', 'The person in the organization', enterprise),
  schema(GROUP_SCHEMA, 'Group', 'A group of people and groups', group),
];

const resourceType = (name: 'User' | 'Group', id: string, extensions: object[]) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
  id: name,
  name,
  endpoint: `/${name}s`,
  description: name === 'User' ? 'People' : 'Groups',
  schema: id,
  schemaExtensions: extensions,
});

export const resourceTypes = [
  resourceType('User', USER_SCHEMA, [{ schema: ENTERPRISE_SCHEMA, required: false }]),
  resourceType('Group', GROUP_SCHEMA, []),
];
