const uuid = (field: string, isKey = false) => ({
  field,
  type: 'uuid',
  schema: { is_primary_key: isKey, is_nullable: !isKey },
});
const text = (field: string) => ({ field, type: 'text' });

/** The columns that the service's lists read, under the same names. */
export const collections = [
  {
    collection: 'workspaces',
    fields: [
      uuid('id', true),
      text('name'),
      uuid('pbi_workspace_id'),
      { field: 'report_count', type: 'integer' },
      { field: 'memberships', type: 'alias', meta: { special: ['o2m'] } },
    ],
  },
  {
    collection: 'memberships',
    fields: [
      { field: 'id', type: 'integer', schema: { is_primary_key: true, has_auto_increment: true } },
      uuid('user_id'),
      uuid('workspace_id'),
      text('role'),
    ],
  },
  {
    collection: 'reports',
    fields: [
      uuid('id', true),
      uuid('workspace_id'),
      uuid('pbi_report_id'),
      ...['pbi_dataset_id', 'name', 'description', 'report_type', 'web_url', 'embed_url'].map(text),
      { field: 'updated_at', type: 'timestamp' },
    ],
  },
];

export const relations = [
  {
    collection: 'memberships',
    field: 'workspace_id',
    related_collection: 'workspaces',
    meta: { one_field: 'memberships' },
  },
  { collection: 'memberships', field: 'user_id', related_collection: 'directus_users' },
  { collection: 'reports', field: 'workspace_id', related_collection: 'workspaces' },
];

/** Directus's performance guide recommends an index for each column that is filtered or sorted by. */
export const indexes = `CREATE INDEX ON memberships (user_id, workspace_id);
  CREATE INDEX ON memberships (workspace_id, user_id);
  CREATE INDEX ON reports (workspace_id);
  CREATE INDEX ON workspaces (name)`;
