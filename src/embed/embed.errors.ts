import { Problem } from '../core/problems/problem.js';

export class EditNeedsEditor extends Problem {
  constructor() {
    super('access_denied', 'Editing this report needs the role editor in its workspace.');
  }
}

/** A token lives for at least a minute, and must not outlive the grant behind it. */
export class AccessEndsNow extends Problem {
  constructor() {
    super('access_denied', 'Your access to this report ends within a minute.');
  }
}

export class AccountDisabled extends Problem {
  constructor() {
    super('access_denied', 'This account was disabled.');
  }
}

/** Fails closed when no effective identity can be determined. */
export class IdentityRequired extends Problem {
  constructor(detail: string) {
    super('power_bi_identity_required', detail);
  }
}

export class ReportNotEmbeddable extends Problem {
  constructor() {
    super(
      'report_not_embeddable',
      'Power BI names no address on a host of its cloud to embed this report from.',
    );
  }
}

export class EmbedAccessRevoked extends Problem {
  constructor() {
    super('embed_access_revoked', 'Embedding was revoked here: no token is issued until that is lifted.');
  }
}

export class RevocationNotFound extends Problem {
  constructor() {
    super('embed_revocation_not_found', 'No revocation of this id is in force.');
  }
}

export class RevocationNeedsManager extends Problem {
  constructor() {
    super('access_denied', 'Name a workspace that you manage, or a report in one; all else is for admins.');
  }
}
