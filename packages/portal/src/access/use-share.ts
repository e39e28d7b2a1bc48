import { useMutation } from '@tanstack/react-query';
import { read } from '../api/client.js';
import { ProblemError } from '../api/problem.js';
import type { Choice, Source } from '../api/sources.js';
import { isUnsent } from '../pages/invitations/invitation-texts.js';
import { invite, type NewInvitation, useInvitationsChanged } from '../pages/invitations/use-invitations.js';
import { holderOf } from './holder.js';
import type { WorkspaceRole } from './roles.js';
import { isInvited, withEmail } from './recipients.js';
import { putGrant, type Target } from './use-grants.js';

const MAX_CANDIDATES = 100;

interface Share {
  recipients: readonly Choice[];
  /** Finds the account of an address. */
  source: Source;
  target: Target;
  role: WorkspaceRole;
  expiresAt: string | undefined;
  /** Whether people receive an email. Groups and service accounts never do. */
  notifies: boolean;
  message: string;
}

/** A link to pass on, because no mail server is configured. */
export interface Link {
  email: string;
  link: string;
}

export interface Shared {
  done: Choice[];
  /** Those that had the access before, who receive no email. */
  unchanged: Choice[];
  failed: { recipient: Choice; error: ProblemError }[];
  links: Link[];
  /** Whether some were invited without an email or a link. */
  hasUnsent: boolean;
}

function invitationOf({ target, role, expiresAt: expires_at, message }: Share, email: string): NewInvitation {
  const words = message.replaceAll(/\s+/g, ' ').trim();
  const access =
    target.type === 'workspace'
      ? { workspaces: [{ workspace_id: target.id, role, expires_at }] }
      : // The role picker of a report does not offer `manager`.
        { reports: [{ report_id: target.id, role: role as 'viewer' | 'editor', expires_at }] };
  return { email, ...access, ...(words !== '' && { message: words }) };
}

async function inviteTo(shared: Shared, recipient: Choice, email: string, share: Share): Promise<void> {
  const invited = await invite(invitationOf(share, email));
  shared.done.push(recipient);
  shared.hasUnsent ||= isUnsent(invited);
  const { accept_url: link } = invited.invitation;
  if (link !== undefined) shared.links.push({ email, link });
}

/** An address can be entered before the search has found its account. */
async function accountOf(recipient: Choice, { source }: Share): Promise<Choice> {
  const { email } = recipient;
  if (email === undefined || !isInvited(recipient)) return recipient;
  const { found } = await source.search({ q: email, limit: MAX_CANDIDATES });
  return withEmail(found, email) ?? recipient;
}

async function shareWith(shared: Shared, recipient: Choice, share: Share): Promise<void> {
  const { target, role, expiresAt, notifies } = share;
  const { email } = recipient;
  const account = notifies ? recipient : await accountOf(recipient, share);
  if (email !== undefined && (notifies || isInvited(account)))
    return inviteTo(shared, recipient, email, share);
  await read(putGrant({ holder: holderOf(account.id), target, role, expiresAt }));
  shared.done.push(recipient);
}

/** One after the other, so that the limit of one does not lose the others. */
async function shareWithAll(share: Share): Promise<Shared> {
  const shared: Shared = { done: [], unchanged: [], failed: [], links: [], hasUnsent: false };
  for (const recipient of share.recipients) {
    try {
      await shareWith(shared, recipient, share);
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      if (error.code === 'already_has_access') shared.unchanged.push(recipient);
      else shared.failed.push({ recipient, error });
    }
  }
  return shared;
}

export function useShare() {
  const onSuccess = useInvitationsChanged();
  return useMutation({ mutationFn: shareWithAll, onSuccess });
}
