import { msg } from '../../i18n/index.js';
import type { Invitation, Invited } from './use-invitations.js';

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

export type Outcome = 'invited' | 'renewed' | 'granted' | 'included';

/**
 * The service sends at most one email per minute to an address. Access that is added within it is in the invitation, whose
 * email is on its way or delivered.
 */
export function outcomeOf({ invitation, isNew }: Invited): Outcome {
  if (isNew) return 'invited';
  if (invitation.status === 'accepted') return 'granted';
  return invitation.delivery === 'queued' || invitation.accept_url !== undefined ? 'renewed' : 'included';
}

/**
 * Nothing leads to the account: without a mail server, only admins receive the link, to pass it on. One that was passed on remains
 * valid when access is added.
 */
export const isUnsent = ({ invitation: { delivery, status, accept_url }, isNew }: Invited): boolean =>
  isNew && delivery === 'not_configured' && status === 'pending' && accept_url === undefined;

export const unsent = msg(
  'No email was sent: no mail server is configured. An administrator can resend the invitation and share its link.',
);

/** For a single invitation. */
export const outcomes: Record<Outcome, { title: string; text: string; color: string }> = {
  invited: {
    title: msg('Invited {{email}}'),
    text: msg('They receive an email with a link. The link is valid for 72 hours.'),
    color: 'green',
  },
  renewed: {
    title: msg('Invitation updated for {{email}}'),
    text: msg('They receive an email with a new link. Only the link in the newest email works.'),
    color: 'green',
  },
  granted: {
    title: msg('Access granted to {{email}}'),
    text: msg('This user already has an account and can use the access now.'),
    color: 'green',
  },
  included: {
    title: msg('{{email}} is already invited'),
    text: msg('The pending invitation includes this access. The last link remains valid.'),
    color: 'blue',
  },
};
