/** Every verb of the trail, once. */
export const auditActions = [
  'signed_in',
  'sign_in_failed',
  'signed_out',
  'token_refreshed',
  'refresh_token_reused',
  'invitation_created',
  'invitation_resent',
  'invitation_revoked',
  'invitation_accepted',
  'user_created',
  'user_changed',
  'identity_linked',
  'identity_unlinked',
  'user_disabled',
  'grant_set',
  'grant_removed',
  'identity_policy_set',
  'embed_token_issued',
  'embed_token_denied',
  'sync_requested',
  'access_denied',
] as const;

export type AuditAction = (typeof auditActions)[number];
