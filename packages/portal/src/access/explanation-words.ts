import type { components } from '../api/schema.js';

export type Explanation = components['schemas']['ExplanationDto'];

const reasons: Record<Explanation['reason'], string> = {
  admin: 'Admins can see every report.',
  grant: 'The strongest of these grants decides.',
  grant_expired: 'Every grant has expired.',
  no_grant: 'There is no grant on this report or its workspace.',
  user_disabled: 'The account is disabled.',
  report_retired: 'The report no longer exists in Power BI.',
};

export const reasonOf = ({ reason }: Explanation): string => reasons[reason];

/** The result as one sentence, such as `Ana can see this report`. */
export function resultOf(name: string, { allowed, access }: Explanation): string {
  if (!allowed) return `${name} cannot see this report`;
  return access === 'edit' ? `${name} can see and edit this report` : `${name} can see this report`;
}
