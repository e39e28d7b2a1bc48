import type { Topic } from './help.js';

/** Codes for invitations, accounts and service accounts. */
export const people = {
  invalid_invitation: {
    means: 'Nobody was ever sent this link: it is incomplete, or a newer mail has replaced it.',
    caller: 'Open the newest mail and copy the whole link, with what stands behind `#token=`.',
    operator: 'Send a new one: `POST /api/invitations/:id/resend`.',
  },
  invitation_accepted: {
    means: 'It works once.',
    caller: 'Sign in. If the password is forgotten, reset it by mail.',
  },
  invitation_expired: {
    means: 'The link is older than 72 hours.',
    caller: 'Ask for a new one.',
    operator: '`POST /api/invitations/:id/resend`, or invite again.',
  },
  invitation_revoked: {
    means: 'The invitation was taken back.',
    caller: 'Ask the person who invited you.',
    operator:
      '`GET /api/audit-events?action=invitation_revoked` tells who did it. Invite again where it was a mistake.',
  },
  invitation_not_pending: {
    means: 'Only a pending invitation can be sent again or revoked; the detail says what it is.',
    caller: 'Invite the person anew. Whoever accepted is changed at `/api/users/:id`.',
  },
  invitation_not_found: {
    means: 'No invitation has this id, or it does not lie wholly inside workspaces that you manage.',
    caller: 'List what is yours: `GET /api/invitations`. Ask an admin for others.',
  },
  already_has_access: {
    means: 'The person is active and has every grant of this invitation already: nothing would change.',
    caller: 'Nothing. To change a role, `PUT /api/workspaces/:id/members/:user_id`.',
  },
  user_disabled: {
    means: 'The person was disabled, and a manager cannot bring a disabled person back.',
    caller: 'Ask an admin.',
    operator: '`PATCH /api/users/:id` with `{"status":"active"}`, or invite the person as an admin.',
  },
  user_not_disabled: {
    means: 'Erasing is for those who are disabled.',
    caller: '`PATCH /api/users/:id` with `{"status":"disabled"}` first, then erase.',
  },
  user_not_found: {
    means: 'No person has this id. Service accounts are at `/api/service-accounts`.',
    caller: 'Look the id up: `GET /api/users?q=…`.',
  },
  last_admin: {
    means: 'This would leave nobody who is an admin and active.',
    caller: 'Make somebody else an admin first.',
    operator: 'When no admin can sign in any more: `node bin/vitrine.js users create <email> --role admin`.',
  },
  identity_taken: {
    means: 'This identity of the provider is linked to another account.',
    caller: 'Ask an admin; or sign in with the account that has it.',
    operator: 'Unlink it there (`DELETE /api/users/:id/identities/:identity_id`), then link it here.',
  },
  identity_not_found: {
    means: 'This person has no identity of this id.',
    caller: 'List them: `GET /api/users/:id/identities`.',
  },
  session_not_found: {
    means: 'No session of this id is yours, or it is over.',
    caller: 'List what is there: `GET /api/auth/sessions`.',
  },
  member_not_found: {
    means:
      'Nobody of this id was given a grant here by hand. A grant that a rule gave is taken back by the rule.',
    caller: 'List the members with their `source`: `GET /api/workspaces/:id/members`.',
    operator:
      'For `"source": "provider"` change the group at the provider, or the rule: [signing in](sign-in.md#rules).',
  },
  service_account_not_found: {
    means: 'No service account has this id; people are at `/api/users`.',
    caller: 'List them: `GET /api/service-accounts`.',
  },
  secret_not_found: {
    means: 'This service account has no secret of this id; one that ran out is gone.',
    caller: 'See which there are: `GET /api/service-accounts/:id`.',
  },
  too_many_secrets: {
    means: 'Two secrets are good already: one in use, one for changing over.',
    caller: 'Remove the one that is not used any more (`last_used_at`), then make the new one.',
  },
} as const satisfies Topic;
