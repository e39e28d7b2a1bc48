import type { components } from '../../api/schema.js';

export type AuditEvent = components['schemas']['AuditEventDto'];
export type Action = AuditEvent['action'];
export type Outcome = AuditEvent['outcome'];
export type Target = NonNullable<AuditEvent['target']>;

export const actionWords: Record<Action, string> = {
  signed_in: 'Signed in',
  sign_in_failed: 'Sign-in failed',
  sign_in_blocked: 'Sign-in blocked: too many attempts',
  signed_out: 'Signed out',
  token_refreshed: 'Session renewed',
  token_refresh_failed: 'Session could not be renewed',
  refresh_token_reused: 'Refresh token used twice: session ended',
  password_changed: 'Password changed',
  password_reset: 'Password reset',
  invitation_created: 'Invitation sent',
  invitation_resent: 'Invitation sent again',
  invitation_revoked: 'Invitation revoked',
  invitation_accepted: 'Invitation accepted',
  user_created: 'User created',
  user_erased: 'User erased',
  user_changed: 'User changed',
  identity_linked: 'Identity linked',
  identity_unlinked: 'Identity unlinked',
  user_disabled: 'User disabled',
  grant_set: 'Access granted',
  grant_removed: 'Access removed',
  group_created: 'Group created',
  group_updated: 'Group changed',
  group_deleted: 'Group deleted',
  group_member_added: 'Member added to a group',
  group_member_removed: 'Member removed from a group',
  identity_policy_set: 'Identity policy set',
  embed_token_issued: 'Embed token issued',
  embed_token_denied: 'Embed token denied',
  embed_access_revoked: 'Embedding revoked',
  embed_access_restored: 'Embedding allowed again',
  sync_requested: 'Sync asked for',
  service_account_created: 'Service account created',
  service_account_changed: 'Service account changed',
  service_account_rotated: 'Secret of a service account made',
  service_account_secret_revoked: 'Secret of a service account revoked',
  service_account_deleted: 'Service account deleted',
  access_denied: 'Access denied',
};

export const outcomeWords: Record<Outcome, { label: string; color: string }> = {
  allowed: { label: 'Allowed', color: 'green' },
  denied: { label: 'Denied', color: 'orange' },
  failed: { label: 'Failed', color: 'red' },
};

export const targetWords: Record<Target['type'], string> = {
  user: 'User',
  service_account: 'Service account',
  session: 'Session',
  invitation: 'Invitation',
  group: 'Group',
  workspace: 'Workspace',
  report: 'Report',
  dataset: 'Dataset',
  sync: 'Sync',
  embed_revocation: 'Revocation of embedding',
};

/** The choices of a Select by the words for them. */
export const choicesOf = <K extends string>(words: Record<K, string | { label: string }>) =>
  Object.entries<string | { label: string }>(words).map(([value, word]) => ({
    value,
    label: typeof word === 'string' ? word : word.label,
  }));
