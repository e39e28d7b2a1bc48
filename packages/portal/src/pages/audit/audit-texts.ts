import { t } from 'i18next';
import type { components } from '../../api/schema.js';
import { formatLocale } from '../../i18n/format.js';
import { msg } from '../../i18n/index.js';
import { optionsOf } from '../../i18n/options.js';

export type AuditEvent = components['schemas']['AuditEventDto'];
export type Action = AuditEvent['action'];
export type Outcome = AuditEvent['outcome'];
export type Target = NonNullable<AuditEvent['target']>;

export const actionTexts: Record<Action, string> = {
  signed_in: msg('Signed in'),
  sign_in_failed: msg('Sign-in failed'),
  sign_in_blocked: msg('Sign-in blocked: too many attempts'),
  signed_out: msg('Signed out'),
  token_refreshed: msg('Session renewed'),
  token_refresh_failed: msg('Session renewal failed'),
  refresh_token_reused: msg('Session ended: refresh token reused'),
  password_changed: msg('Password changed'),
  password_reset: msg('Password reset'),
  invitation_created: msg('Invitation sent'),
  invitation_resent: msg('Invitation resent'),
  invitation_changed: msg('Invitation updated'),
  invitation_revoked: msg('Invitation revoked'),
  invitation_accepted: msg('Invitation accepted'),
  user_created: msg('User created'),
  personal_data_exported: msg('Personal data exported'),
  user_erased: msg('User deleted permanently'),
  user_changed: msg('User updated'),
  identity_linked: msg('Identity linked'),
  identity_unlinked: msg('Identity unlinked'),
  user_disabled: msg('User disabled'),
  grant_set: msg('Access granted'),
  grant_removed: msg('Access removed'),
  saved_view_shared: msg('Saved view shared'),
  saved_view_changed: msg('Shared view changed'),
  saved_view_deleted: msg('Shared view deleted'),
  access_requested: msg('Access requested'),
  access_request_approved: msg('Access request approved'),
  access_request_declined: msg('Access request declined'),
  group_created: msg('Group created'),
  group_updated: msg('Group updated'),
  group_deleted: msg('Group deleted'),
  group_member_added: msg('Group member added'),
  group_member_removed: msg('Group member removed'),
  identity_policy_set: msg('Identity policy updated'),
  embed_token_issued: msg('Embed token issued'),
  embed_token_denied: msg('Embed token denied'),
  embed_access_revoked: msg('Embedding blocked'),
  embed_access_restored: msg('Embedding unblocked'),
  report_exported: msg('Report exported'),
  report_export_denied: msg('Report export denied'),
  report_export_failed: msg('Report export failed'),
  report_export_cancelled: msg('Report export cancelled'),
  report_export_downloaded: msg('Exported report downloaded'),
  workspace_changed: msg('Workspace settings changed'),
  sync_requested: msg('Sync requested'),
  service_account_created: msg('Service account created'),
  service_account_changed: msg('Service account updated'),
  service_account_rotated: msg('Service account secret created'),
  service_account_secret_revoked: msg('Service account secret revoked'),
  service_account_deleted: msg('Service account deleted'),
  rule_reference_bound: msg('Name in a sign-in rule bound to its id'),
  rule_reference_unresolved: msg('Name in a sign-in rule not found'),
  branding_changed: msg('Branding changed'),
  onboarding_changed: msg('Getting-started checklist changed'),
  webhook_created: msg('Webhook created'),
  webhook_changed: msg('Webhook changed'),
  webhook_deleted: msg('Webhook deleted'),
  webhook_pinged: msg('Webhook pinged'),
  webhook_secret_rolled: msg('Webhook secret rolled'),
  webhook_redelivery_requested: msg('Webhook redelivery requested'),
  webhook_disabled: msg('Webhook disabled after failures'),
  access_denied: msg('Access denied'),
};

export const outcomeTexts: Record<Outcome, string> = {
  allowed: msg('Allowed'),
  denied: msg('Denied'),
  failed: msg('Failed'),
};

export const outcomeColors: Record<Outcome, string> = { allowed: 'green', denied: 'orange', failed: 'red' };

export const targetTexts: Record<Target['type'], string> = {
  user: msg('User'),
  service_account: msg('Service account'),
  session: msg('Session'),
  invitation: msg('Invitation'),
  group: msg('Group'),
  workspace: msg('Workspace'),
  report: msg('Report'),
  dataset: msg('Dataset'),
  sync: msg('Sync'),
  embed_revocation: msg('Embedding block'),
  settings: msg('Settings'),
  webhook: msg('Webhook'),
};

/** Names of the details that the service records; others are shown by their API name. */
const detailWords: Record<string, string> = {
  access: msg('Access'),
  after: msg('After'),
  attributes: msg('Attributes'),
  before: msg('Before'),
  changed: msg('Changed'),
  code: msg('Error code'),
  description: msg('Description'),
  email: msg('Email'),
  expires_at: msg('Expires'),
  former_host: msg('Former host'),
  granted_by: msg('Granted by'),
  group_id: msg('Group'),
  group_ids: msg('Groups'),
  host: msg('Host'),
  identity_id: msg('Identity ID'),
  iss: msg('Issuer'),
  locked_seconds: msg('Locked for (seconds)'),
  method: msg('Method'),
  name: msg('Name'),
  reason: msg('Reason'),
  repeats: msg('Repetitions'),
  report_id: msg('Report'),
  report_ids: msg('Reports'),
  role: msg('Role'),
  route: msg('Route'),
  secret_id: msg('Secret ID'),
  sessions: msg('Sessions'),
  since: msg('Since'),
  source: msg('Source'),
  status: msg('Status'),
  token_id: msg('Token ID'),
  types: msg('Event types'),
  url: msg('URL'),
  user_id: msg('User'),
  workspace_id: msg('Workspace'),
  workspace_ids: msg('Workspaces'),
};

/** `workspace_id` as `Workspace`; the unknown `some_ids` as `Some`. */
export function detailName(name: string): string {
  const known = detailWords[name];
  if (known !== undefined) return t(known);
  const words = name.replace(/_id(s?)$/, '$1').replaceAll('_', ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** The options of a select, by alphabet. */
export const sortedOptions = <V extends string>(words: Record<V, string>) =>
  optionsOf(words).toSorted((a, b) => a.label.localeCompare(b.label, formatLocale()));
