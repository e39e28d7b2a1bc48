import { type EventType, fieldsOf } from '../../events/outbox/event-types.js';
import type { AuditAction } from './audit-actions.js';
import type { AuditEntry } from './audit.service.js';

/** The event of each audited change. Null: sign-ins, denials and names in sign-in rules are in the audit trail only, so that a flood of them is no flood of events. */
export const eventOfAction: Record<AuditAction, EventType | null> = {
  signed_in: null,
  sign_in_failed: null,
  sign_in_blocked: null,
  signed_out: null,
  token_refreshed: null,
  token_refresh_failed: null,
  refresh_token_reused: 'session.reuse_detected',
  personal_data_exported: 'user.data_exported',
  password_changed: 'user.password_changed',
  password_reset: 'user.password_reset',
  invitation_created: 'user.invited',
  invitation_resent: 'invitation.resent',
  invitation_changed: 'invitation.updated',
  invitation_revoked: 'invitation.revoked',
  invitation_accepted: 'invitation.accepted',
  user_created: 'user.created',
  user_erased: 'user.erased',
  user_changed: 'user.updated',
  identity_linked: 'user.identity_linked',
  identity_unlinked: 'user.identity_unlinked',
  user_disabled: 'user.disabled',
  grant_set: 'grant.set',
  grant_removed: 'grant.removed',
  access_requested: 'access_request.created',
  access_request_approved: 'access_request.approved',
  access_request_declined: 'access_request.declined',
  group_created: 'group.created',
  group_updated: 'group.updated',
  group_deleted: 'group.deleted',
  group_member_added: 'group.member_added',
  group_member_removed: 'group.member_removed',
  identity_policy_set: 'dataset.identity_policy_set',
  embed_token_issued: 'embed_token.issued',
  embed_token_denied: 'embed_token.denied',
  embed_access_revoked: 'embed_access.revoked',
  embed_access_restored: 'embed_access.restored',
  saved_view_shared: 'saved_view.shared',
  saved_view_changed: 'saved_view.updated',
  saved_view_deleted: 'saved_view.deleted',
  report_exported: 'export.finished',
  report_export_denied: 'export.denied',
  report_export_failed: 'export.failed',
  report_export_cancelled: 'export.cancelled',
  report_export_downloaded: 'export.downloaded',
  workspace_changed: 'workspace.updated',
  sync_requested: 'sync.requested',
  service_account_created: 'service_account.created',
  service_account_changed: 'service_account.updated',
  service_account_rotated: 'service_account.secret_rotated',
  service_account_secret_revoked: 'service_account.secret_revoked',
  service_account_deleted: 'service_account.deleted',
  rule_reference_bound: null,
  rule_reference_unresolved: null,
  branding_changed: 'branding.updated',
  onboarding_changed: null,
  webhook_created: 'webhook.created',
  webhook_changed: 'webhook.updated',
  webhook_deleted: 'webhook.deleted',
  webhook_pinged: null,
  webhook_secret_rolled: 'webhook.secret_rolled',
  webhook_redelivery_requested: null,
  webhook_disabled: 'webhook.disabled',
  access_denied: null,
};

interface DerivedEvent {
  type: EventType;
  subject: string;
  data: Record<string, unknown>;
}

/** Names of the changed fields, of attributes without their own names. */
const changedIn = ({ diff, changed }: Record<string, unknown>): string[] => {
  const names = ((changed ?? []) as string[]).map((name) => name.split('.')[0] as string);
  return [...new Set([...Object.keys(diff ?? {}), ...names])];
};

/** Selects the fields of the event's type: audit details may contain names of groups, which an event must not. */
export function eventOf({ action, actorId, target, details = {} }: AuditEntry): DerivedEvent | null {
  const type = eventOfAction[action];
  // Only denials that are counted together have no target.
  if (type === null || target === undefined) return null;
  const known: Record<string, unknown> = {
    ...details,
    changed: changedIn(details),
    actor_id: actorId,
    [`${target.type}_id`]: target.id,
  };
  const data = Object.fromEntries(fieldsOf(type).map(({ name }) => [name, known[name] ?? null]));
  return { type, subject: `${target.type}/${target.id}`, data };
}
