/** A field of `data`: the JSON schema of its value. `type` exists for the compiler only. */
interface Field<T> {
  schema: Record<string, unknown>;
  description: string;
  type?: T;
}

const id = (description: string): Field<string> => ({
  schema: { type: 'string', format: 'uuid' },
  description,
});

const ids = (description: string): Field<string[]> => ({
  schema: { type: 'array', items: { type: 'string', format: 'uuid' } },
  description,
});

const word = (description: string): Field<string> => ({ schema: { type: 'string' }, description });

const words = (description: string): Field<string[]> => ({
  schema: { type: 'array', items: { type: 'string' } },
  description,
});

const count = (description: string): Field<number> => ({
  schema: { type: 'integer', minimum: 0 },
  description,
});

/** Every field that the data of an event may contain. A field has the same meaning in every type: ids and kinds only. */
export const eventFields = {
  actor_id: id('The user or service account that caused the event. Null for the service itself.'),
  user_id: id('User.'),
  group_id: id('Group.'),
  service_account_id: id('Service account.'),
  session_id: id('Session.'),
  invitation_id: id('Invitation.'),
  access_request_id: id('Access request.'),
  identity_id: id('Linked identity.'),
  secret_id: id('Secret of the service account or webhook.'),
  workspace_id: id('Workspace.'),
  workspace_ids: ids('Workspaces to which access is given.'),
  report_id: id('Report.'),
  report_ids: ids('Reports to which access is given.'),
  group_ids: ids('Groups to which the person is added.'),
  dataset_id: id('Dataset.'),
  pbi_dataset_id: id('Dataset, as its id in Power BI.'),
  webhook_id: id('Webhook.'),
  sync_id: id('Sync run.'),
  view_id: id('Saved view.'),
  export_id: id('Export.'),
  token_id: word('Embed token, as in the list of issued tokens.'),
  embed_revocation_id: id('Block of embedding.'),
  member_type: word('Kind of the member: `user` or `group`.'),
  member_id: id(
    'Member. Null if SCIM, or the deletion of a group, changed more than 50 members at once: read the members of the group.',
  ),
  members: count('Members that changed at once, if `member_id` is null.'),
  role: word('Role that is given.'),
  source: word('Origin of the change: `provider` (a rule) or `scim`. Null for a change by a person.'),
  access: word('Access of the token: `view` or `edit`.'),
  format: word('File format.'),
  code: word('Code of the failure, as in the list of errors.'),
  changed: words('Names of the changed properties.'),
  repeats: count('Further denials of this kind within a minute. Null for the first one.'),
  reason: word('Why a webhook was disabled: `gone` or `failing`.'),
  status: word('Result of the run: `succeeded` or `partial`.'),
  workspaces: count('Workspaces that were read.'),
  workspaces_failed: count('Workspaces that could not be read.'),
  changes: count('Changed rows of the catalogue.'),
} satisfies Record<string, Field<unknown>>;

export type EventField = keyof typeof eventFields;

export type FieldValue<F extends EventField> = NonNullable<(typeof eventFields)[F]['type']>;
