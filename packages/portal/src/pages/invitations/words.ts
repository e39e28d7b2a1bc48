import { msg } from '../../i18n/index.js';
import type { Invitation, Invited, NewInvitation } from './use-invitations.js';

export const statuses: Record<Invitation['status'], string> = {
  pending: msg('Pending'),
  accepted: msg('Accepted'),
  expired: msg('Expired'),
  revoked: msg('Revoked'),
};

export const deliveries: Record<Invitation['delivery'], string> = {
  queued: msg('Email queued'),
  sent: msg('Email sent'),
  failed: msg('Email failed'),
  not_configured: msg('No mail server'),
};

export type Outcome = 'invited' | 'renewed' | 'granted' | 'included' | 'too_soon';

const includes = (
  { workspaces: has }: Invitation,
  { workspaces: asked = [] }: Pick<NewInvitation, 'workspaces'>,
): boolean =>
  asked.every(({ workspace_id, role }) =>
    has.some((grant) => grant.workspace_id === workspace_id && grant.role === role),
  );

/** The service sends at most one email per minute to an address: otherwise the delivery is that of the earlier email. */
export function outcomeOf({ invitation, isNew }: Invited, asked: Pick<NewInvitation, 'workspaces'>): Outcome {
  if (isNew) return 'invited';
  if (invitation.status === 'accepted') return 'granted';
  if (invitation.delivery === 'queued' || invitation.accept_url !== undefined) return 'renewed';
  return includes(invitation, asked) ? 'included' : 'too_soon';
}

/** For a single invitation. */
export const outcomes: Record<Outcome, { title: string; text: string; color: string }> = {
  invited: {
    title: msg('Invited {{email}}'),
    text: msg('An email with a link is on its way. The link is valid for 72 hours.'),
    color: 'green',
  },
  renewed: {
    title: msg('Invitation renewed for {{email}}'),
    text: msg('The new link is valid for 72 hours. The previous link no longer works.'),
    color: 'green',
  },
  granted: {
    title: msg('Access granted to {{email}}'),
    text: msg('This user already has an account and can use the access now. They are notified by email.'),
    color: 'green',
  },
  included: {
    title: msg('{{email}} is already invited'),
    text: msg('The pending invitation already includes this access. No email was sent.'),
    color: 'blue',
  },
  too_soon: {
    title: msg('Nothing changed for {{email}}'),
    text: msg('An email was sent to this address less than a minute ago. Try again in a minute.'),
    color: 'orange',
  },
};
