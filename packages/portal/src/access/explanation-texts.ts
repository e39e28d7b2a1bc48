import { t } from 'i18next';
import type { components } from '../api/schema.js';
import { msg } from '../i18n/index.js';

export type Explanation = components['schemas']['ExplanationDto'];

const reasons: Record<Explanation['reason'], string> = {
  admin: msg('Administrators have access to all reports.'),
  grant: msg('The grant with the highest role is in effect.'),
  grant_expired: msg('All grants have expired.'),
  no_grant: msg('No grant on this report or its workspace.'),
  user_disabled: msg('The account is disabled.'),
  report_retired: msg('The report no longer exists in Power BI.'),
};

export const reasonOf = ({ reason }: Explanation): string => t(reasons[reason]);

/** The result as one sentence, such as `Ana can view this report`. */
export function resultOf(name: string, { allowed, access }: Explanation): string {
  if (!allowed) return t("{{name}} can't view this report", { name });
  return access === 'edit'
    ? t('{{name}} can view and edit this report', { name })
    : t('{{name}} can view this report', { name });
}
