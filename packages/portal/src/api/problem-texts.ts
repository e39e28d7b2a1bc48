import { exists, t } from 'i18next';
import { msg } from '../i18n/index.js';
import { type ProblemCode, ProblemError, translatedDetail } from './problem.js';

/** Texts for people, where the detail of the service addresses developers. Titles are `problem.<code>` in `i18n/`. */
const advice: Partial<Record<ProblemCode, string>> = {
  unreachable: msg('Check your connection.'),
  unexpected_response: msg(
    "A proxy or a sign-in page of your network may block the connection. If it doesn't help to try again, contact your administrator.",
  ),
  authentication_required: msg('Sign in again to continue.'),
  access_denied: msg('Contact an administrator or a manager of the workspace to get access.'),
  // The service does not tell whether there is an account, nor whether it is disabled.
  invalid_credentials: msg(
    "Check your email address and password, or reset your password. If that doesn't help, your account may be disabled: contact an administrator.",
  ),
  invalid_refresh_token: msg('Sign in again to continue.'),
  password_sign_in_disabled: msg('Sign in with your organization.'),
  sign_in_interrupted: msg('It took too long, or was started in another window. Sign in again.'),
  invalid_login_code: msg('It took too long, or was completed before. Sign in again.'),
  platform_sign_in_missing: msg('Sign in with your email address and password.'),
  invalid_return_address: msg('Open the portal at the address that your administrator gave you.'),
  cross_site_request: msg('Open the portal at the address that your administrator gave you.'),
  invalid_invitation: msg(
    'Open the complete link in the latest invitation email. Earlier links no longer work.',
  ),
  invitation_accepted: msg('Your account is ready. Sign in to continue.'),
  invitation_expired: msg('Ask the user who invited you to resend the invitation.'),
  invitation_revoked: msg('Contact the user who invited you.'),
  invalid_password_reset: msg(
    'A link works once, within 30 minutes, and only the latest one is valid. Request a new link.',
  ),
  session_not_found: msg('This session has already ended.'),
  internal_error: msg('Try again. If the problem persists, send the request ID below to your administrator.'),
  power_bi_unavailable: msg("Reports can't be opened until Power BI is available again."),
  // Several causes, which the detail tells admins.
  power_bi_access_denied: msg('Contact an administrator.'),
  power_bi_report_missing: msg('It was deleted or moved in Power BI, and is removed here at the next sync.'),
  power_bi_request_refused: msg('Contact an administrator.'),
  power_bi_capacity_exhausted: msg('An administrator must assign a larger capacity to the workspace.'),
  power_bi_identity_required: msg('An administrator must set up row-level security for its dataset.'),
  power_bi_identity_refused: msg('An administrator must correct the row-level security of its dataset.'),
  report_not_embeddable: msg('Power BI provides no embed URL for this report. Contact an administrator.'),
  embed_access_revoked: msg('Contact an administrator if you need access.'),
  report_not_found: msg("It may have been deleted, or you don't have access to its workspace."),
  workspace_not_found: msg("It may have been deleted, or you don't have access to it."),
  dataset_not_found: msg('It may have been deleted.'),
  group_not_found: msg('It may have been deleted.'),
  service_account_not_found: msg('It may have been deleted.'),
  user_not_found: msg('The user may have been deleted.'),
  sync_not_found: msg('It may have been deleted.'),
  identity_not_found: msg('It may have been deleted.'),
  secret_not_found: msg('It may have been deleted.'),
  webhook_not_found: msg('It may have been deleted.'),
  webhook_delivery_not_found: msg('It may have been deleted.'),
  embed_revocation_not_found: msg('It may have been removed already.'),
  last_admin: msg('Assign the Admin role to another user first.'),
  user_disabled: msg('Only an administrator can enable this user.'),
  already_has_access: msg('The user already has an account and all of this access.'),
  invitation_not_pending: msg(
    'It was accepted or revoked in the meantime, or the user who sent it is no longer allowed to invite. Invite again if needed.',
  ),
  invitation_not_found: msg("It may have been deleted, or you don't have permission to manage it."),
  member_not_found: msg('Access from your identity provider can only be changed there.'),
  grant_not_found: msg(
    'It was removed or has expired. Access from your identity provider can only be changed there.',
  ),
  group_member_not_found: msg('The member may have been removed in the meantime.'),
  group_name_taken: msg('Choose another name.'),
  group_managed_elsewhere: msg('Change its members in your identity provider.'),
  group_cycle: msg('The group already contains this group, directly or through other groups.'),
  group_too_deep: msg('Groups can be nested up to 10 levels.'),
  too_many_secrets: msg('Revoke the secret that is no longer in use, then add another one.'),
  export_not_found: msg('Export the report again.'),
  export_expired: msg('Export the report again.'),
  export_not_ready: msg('Wait until the export has finished.'),
  export_timed_out: msg('Try again later, with fewer pages.'),
  export_too_large: msg('Export fewer pages, or another format.'),
  too_many_exports: msg('Wait for an export to finish, or cancel one.'),
  too_many_favourites: msg('Remove a favourite first.'),
  too_many_redeliveries: msg('Wait until the requested redeliveries are sent.'),
  too_many_saved_views: msg('Delete a view that is no longer used.'),
  too_many_webhooks: msg('Delete a webhook that is no longer used.'),
  saved_view_not_found: msg('It may have been deleted, or is private to another user.'),
  access_request_decided: msg('Another manager or administrator decided it first.'),
  access_request_not_found: msg("It may have been deleted, or you don't have permission to decide it."),
  power_bi_label_refused: msg('Power BI does not export reports with a sensitivity label.'),
  power_bi_capacity_required: msg('An administrator must assign the workspace to an active capacity.'),
  power_bi_export_failed: msg('Try again, with fewer pages. Check that the report opens.'),
  conflict: msg('The data was changed in the meantime. Reload and try again.'),
};

/** Failures that end without any action: their text is when to try again. */
const temporary = new Set<ProblemCode>([
  'rate_limited',
  'service_unavailable',
  'overloaded',
  'database_unavailable',
  'provider_unavailable',
  'power_bi_throttled',
  'request_timeout',
  'deadline_exceeded',
]);

export interface ProblemTexts {
  title: string;
  /** Complete sentences; empty if `wait` says it all. */
  text: string;
  /** When a retry is possible. */
  wait?: string;
  canRetry: boolean;
}

function waitFor(seconds: number): string {
  if (seconds === 0) return t('You can try again now.');
  return seconds < 90
    ? t('Try again in {{count}} seconds.', { count: seconds })
    : t('Try again in {{count}} minutes.', { count: Math.ceil(seconds / 60) });
}

function titleOf({ code, problem }: ProblemError): string {
  const key = `problem.${code}`;
  return exists(key) ? t(key) : problem?.title || t('Something went wrong');
}

/** The causes of failures of Power BI differ by their detail, and so does what an admin does about them. */
const detailForAdmins = ({ code, message }: ProblemError): string | undefined =>
  code.startsWith('power_bi_') ? translatedDetail(message) : undefined;

function textOf(problem: ProblemError, isAdmin: boolean): string {
  const { code, message, secondsLeft } = problem;
  if (temporary.has(code)) return secondsLeft === undefined ? t('Try again in a moment.') : '';
  const detail = isAdmin && detailForAdmins(problem);
  if (detail) return detail;
  const known = advice[code];
  return known === undefined ? (translatedDetail(message) ?? '') : t(known);
}

interface StoredFailure {
  code: ProblemCode;
  detail: string;
}

/** One text for a failure that the service stored without its title. */
export function textOfStored({ code, detail }: StoredFailure): string {
  const translated = translatedDetail(detail);
  if (translated !== undefined) return translated;
  const key = `problem.${code}`;
  const known = advice[code];
  return [`${t(key)}.`, known && t(known)].filter(Boolean).join(' ');
}

/** Where there is room for the title only. */
export const titleOfError = (error: unknown): string | undefined =>
  error instanceof ProblemError ? titleOf(error) : undefined;

/** Title and text of a failure, in the portal's language, for this reader. */
export function textsOf(problem: ProblemError, { isAdmin = false } = {}): ProblemTexts {
  const { secondsLeft } = problem;
  const wait = secondsLeft === undefined ? undefined : waitFor(secondsLeft);
  return {
    title: titleOf(problem),
    text: textOf(problem, isAdmin),
    wait,
    canRetry: (secondsLeft ?? 0) === 0,
  };
}
