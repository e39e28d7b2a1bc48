import type { Topic } from './help.js';

/** Codes for invitations, accounts and service accounts. */
export const people = {
  usage_people_not_stored: {
    means: '`USAGE_PEOPLE` is `off`, or `pseudonymous` for the figures of one person.',
    caller: 'Use the figures of reports and workspaces.',
    operator: 'Set `USAGE_PEOPLE=named`; it applies to views from then on.',
  },
  invalid_invitation: {
    means: 'The link is incomplete, or a newer email has replaced it.',
    caller: 'Open the latest email and copy the complete link, including the part after `#token=`.',
    operator: 'Send a new link: `POST /api/invitations/:id/resend`.',
  },
  invitation_accepted: {
    means:
      'An invitation can be accepted only once: by its link, or with a sign-in through the identity provider with the invited address.',
    caller: 'Sign in. If you forgot the password, reset it by email.',
  },
  invitation_expired: {
    means: 'The link is older than 72 hours.',
    caller: 'Request a new invitation.',
    operator: '`POST /api/invitations/:id/resend`, or create a new invitation.',
  },
  invitation_revoked: {
    means: 'The invitation was revoked, or confers nothing that its inviter may still give.',
    caller: 'Contact the user who invited you.',
    operator:
      '`GET /api/audit-events?action=invitation_revoked` shows who revoked it. If it was a mistake, create a new invitation.',
  },
  invitation_not_pending: {
    means:
      'Only a pending invitation can be resent or revoked, and resent only while it confers something that its inviter may give. The detail contains the reason.',
    caller: 'Create a new invitation. After acceptance, change the user at `/api/users/:id`.',
  },
  invitation_not_found: {
    means:
      'The invitation does not exist, was deleted 90 days after it expired or was revoked, or includes workspaces that you do not manage.',
    caller:
      'List the invitations that you can manage: `GET /api/invitations`. Contact an administrator about others.',
  },
  already_has_access: {
    means: 'The user is active and already has every grant of this invitation.',
    caller: 'No action is required. To change a role, use `PUT /api/workspaces/:id/members/:user_id`.',
  },
  user_disabled: {
    means: 'The user is disabled, and a manager cannot enable a disabled user.',
    caller: 'Contact an administrator.',
    operator: '`PATCH /api/users/:id` with `{"status":"active"}`, or invite the user as an administrator.',
  },
  user_not_disabled: {
    means: 'Only a disabled user can be erased.',
    caller: 'Disable the user first: `PATCH /api/users/:id` with `{"status":"disabled"}`. Then erase.',
  },
  user_not_found: {
    means: 'No user has this id. Service accounts are at `/api/service-accounts`.',
    caller: 'Search for the user: `GET /api/users?q=…`.',
  },
  last_admin: {
    means: 'The change would leave no active administrator.',
    caller: 'Make another user an administrator first.',
    operator:
      'If no admin can sign in: `node bin/vitrine.js users create <email> --role admin`, or with `PASSWORD_SIGN_IN=false` `node bin/vitrine.js invite <email> --role admin`.',
  },
  identity_taken: {
    means: 'The identity from the provider is linked to another account.',
    caller:
      'For an invitation that was sent to another address: open the link in the email that is sent to that address then. Otherwise contact an administrator, or sign in with the account that has the identity.',
    operator:
      'Unlink the identity from the other account (`DELETE /api/users/:id/identities/:identity_id`), then link it to this one.',
  },
  identity_not_found: {
    means: 'The user has no identity with this id.',
    caller: 'List the identities: `GET /api/users/:id/identities`.',
  },
  session_not_found: {
    means: 'You have no session with this id, or it has ended.',
    caller: 'List your sessions: `GET /api/auth/sessions`.',
  },
  grant_not_found: {
    means:
      'This person or group has no manually assigned grant on this workspace or report. A grant from a rule ends when the rule no longer matches.',
    caller:
      'List the grants with their `source`: `GET /api/workspaces/:id/grants` or `GET /api/reports/:id/grants`.',
  },
  member_not_found: {
    means:
      'The user has no manually assigned grant in this workspace. A grant from a rule ends when the rule no longer matches.',
    caller: 'List the members with their `source`: `GET /api/workspaces/:id/members`.',
    operator:
      'For `"source": "provider"`, change the group at the provider or the rule: see [signing in](sign-in.md#rules).',
  },
  service_account_not_found: {
    means: 'No service account has this id. Users are at `/api/users`.',
    caller: 'List the service accounts: `GET /api/service-accounts`.',
  },
  secret_not_found: {
    means: 'The service account has no secret with this id. Expired secrets are deleted.',
    caller: 'List the secrets: `GET /api/service-accounts/:id`.',
  },
  too_many_secrets: {
    means: 'A service account can have two valid secrets: one in use and one for rotation.',
    caller: 'Remove the secret that is no longer used (`last_used_at`), then create a new one.',
  },
} as const satisfies Topic;
