import { Problem, problem } from '../core/problems/problem.js';

export class EditNeedsEditor extends problem(
  'access_denied',
  'Editing this report requires the editor role in its workspace.',
) {}

/** A token lives for at least a minute, and must not outlive the grant behind it. */
export class AccessEndsNow extends problem(
  'access_denied',
  'Your access to this report expires within a minute.',
) {}

export class AccountDisabled extends problem('access_denied', 'This account is disabled.') {}

/** Fails closed when no effective identity can be determined. */
export class IdentityRequired extends Problem {
  constructor(detail: string) {
    super('power_bi_identity_required', detail);
  }
}

/** What determines the token changed while Power BI was asked for it. */
export class EmbedInputsChanged extends problem(
  'service_unavailable',
  'The user or the report changed meanwhile. Try again.',
  { retryAfter: 1 },
) {}

export class ReportNotEmbeddable extends problem(
  'report_not_embeddable',
  'Power BI returned no embed URL on a host of its cloud for this report.',
) {}

export class EmbedAccessRevoked extends problem(
  'embed_access_revoked',
  'Embedding is blocked. An administrator can remove the block.',
) {}

export class RevocationNotFound extends problem(
  'embed_revocation_not_found',
  'No active block of embedding has this id.',
) {}

export class RevocationNeedsManager extends problem(
  'access_denied',
  'Specify a workspace that you manage, or a report in it. All other scopes require the admin role.',
) {}
