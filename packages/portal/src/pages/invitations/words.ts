import type { Invitation, Invited, NewInvitation } from './use-invitations.js';

export const statuses: { value: Invitation['status']; label: string; color: string }[] = [
  { value: 'pending', label: 'Open', color: 'blue' },
  { value: 'accepted', label: 'Accepted', color: 'green' },
  { value: 'expired', label: 'Expired', color: 'orange' },
  { value: 'revoked', label: 'Revoked', color: 'gray' },
];

export const deliveries: { value: Invitation['delivery']; label: string }[] = [
  { value: 'queued', label: 'Mail on its way' },
  { value: 'sent', label: 'Mail sent' },
  { value: 'failed', label: 'Mail failed' },
  { value: 'not_configured', label: 'No mail server' },
];

export type Outcome = 'invited' | 'renewed' | 'given' | 'included' | 'too_soon';

const includes = ({ workspaces: has }: Invitation, { workspaces: asked = [] }: NewInvitation): boolean =>
  asked.every(({ workspace_id, role }) =>
    has.some((grant) => grant.workspace_id === workspace_id && grant.role === role),
  );

/**
 * What inviting came to. The service sends nothing more to an address within a minute: then the mail of its answer is
 * the earlier one.
 */
export function outcomeOf({ invitation, isNew }: Invited, asked: NewInvitation): Outcome {
  if (isNew) return 'invited';
  if (invitation.status === 'accepted') return 'given';
  if (invitation.delivery === 'queued' || invitation.accept_url !== undefined) return 'renewed';
  return includes(invitation, asked) ? 'included' : 'too_soon';
}

const mailed = { title: 'Invited', text: 'A mail with a link is on its way; the link works for 72 hours.' };

/** For one person, in whole sentences. */
export const outcomes: Record<Outcome, { title: string; text: string; color: string }> = {
  invited: { ...mailed, color: 'green' },
  renewed: {
    title: 'Invited again',
    text: 'There was an open invitation. It has a new link now, which works for 72 hours; the older one is dead.',
    color: 'green',
  },
  given: {
    title: 'Access given',
    text: 'This person has an account already and can see these workspaces at once. A mail tells them.',
    color: 'green',
  },
  included: {
    title: 'Invited already',
    text: 'There is an open invitation, and it includes this. No mail was sent now.',
    color: 'blue',
  },
  too_soon: {
    title: 'Nothing has changed',
    text: 'A mail went to this address less than a minute ago. Try again in a minute.',
    color: 'orange',
  },
};
