import type { components } from '../api/schema.js';
import { exactly } from '../components/time.js';
import { roleName } from './roles.js';

export type Explanation = components['schemas']['ExplanationDto'];
type Held = NonNullable<Explanation['grant']>;

const given = ({ role, source, expires_at }: Held): string => {
  const by = source === 'manual' ? 'given by hand' : 'given by a rule over the identity provider’s claims';
  const until = expires_at === null ? '' : ` until ${exactly(expires_at)}`;
  return `as ${roleName(role).toLowerCase()}, ${by}${until}`;
};

const sentences: Record<Explanation['reason'], (grant: Held | null) => string> = {
  admin: () => 'Admins see every report.',
  grant: (grant) => `They have access to its workspace${grant === null ? '' : ` ${given(grant)}`}.`,
  grant_expired: (grant) => `Their access to its workspace has ended${ended(grant)}.`,
  no_grant: () => 'They were given no access to its workspace.',
  user_disabled: () => 'They are disabled.',
  report_retired: () => 'The report is gone from Power BI.',
};

const ended = (grant: Held | null): string =>
  grant?.expires_at === null || grant === null ? '' : ` on ${exactly(grant.expires_at)}`;

/** What decided, in a sentence. */
export const reasonOf = ({ reason, grant }: Explanation): string => sentences[reason](grant);
