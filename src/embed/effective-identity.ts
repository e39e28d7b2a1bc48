import type { IdentityPolicy, IdentityTemplates } from '../catalogue/dataset.entity.js';
import type { EffectiveIdentity } from '../power-bi/power-bi.types.js';
import type { Report } from '../reports/report.entity.js';
import type { User } from '../users/user.entity.js';
import { IdentityRequired } from './embed.errors.js';

type Viewer = Pick<User, 'id' | 'email' | 'attributes'> & Partial<Pick<User, 'kind'>>;

interface Source {
  pbiDatasetId: string;
  identityRequired: boolean | null;
  identityRolesRequired: boolean | null;
  identityPolicy: IdentityPolicy | null;
}

const withoutEmail = 'The identity policy requires an email address, which a service account does not have.';
const ofPeople =
  'The identity policy of this dataset differs by user and names no identity for service accounts. ' +
  'Request the token with the access token of the user, or ask an administrator for `service_accounts` in the policy.';
const placeholder = /\{\{(id|email|attributes\.([A-Za-z0-9_-]+))\}\}/g;

/** Throws IdentityRequired when the viewer lacks an attribute: an incomplete identity could expose another user's rows. */
function fill(template: string, viewer: Viewer): string {
  return template.replaceAll(placeholder, (_whole, name: string, attribute?: string) => {
    if (name === 'id') return viewer.id;
    if (name === 'email' && viewer.kind === 'service') throw new IdentityRequired(withoutEmail);
    if (name === 'email') return viewer.email;
    const value = Object.hasOwn(viewer.attributes, attribute ?? '')
      ? viewer.attributes[attribute ?? '']
      : undefined;
    if (value === undefined || value === '') {
      throw new IdentityRequired(
        `The identity policy requires the user attribute "${attribute}". An administrator can set it.`,
      );
    }
    return value;
  });
}

const hasPlaceholder = ({ username, roles, custom_data }: IdentityTemplates): boolean =>
  [username, ...roles, custom_data ?? ''].some((each) => each.includes('{{'));

/** Throws IdentityRequired for a service account if the policy differs by person: users of its backend would share rows. */
function templatesFor(policy: IdentityPolicy, { kind }: Viewer): IdentityTemplates {
  if (kind !== 'service') return policy;
  if (policy.service_accounts === undefined && hasPlaceholder(policy)) throw new IdentityRequired(ofPeople);
  return policy.service_accounts ?? policy;
}

/**
 * The effective identity of a viewer, from the dataset's policy only: no client input is used. Null for a dataset
 * without RLS, and for one with unknown flags and no policy: for a dataset with RLS, Power BI refuses a service
 * principal a token without identity, so nothing is exposed. Throws IdentityRequired, whose detail names what an admin
 * must set.
 */
export function effectiveIdentity(
  dataset: Source,
  viewer: Viewer | null,
  { reportType, pbiReportId }: Pick<Report, 'reportType' | 'pbiReportId'>,
): EffectiveIdentity | null {
  const { pbiDatasetId, identityRequired, identityRolesRequired, identityPolicy: policy } = dataset;
  if (identityRequired === false) return null;
  if (policy === null) {
    if (identityRequired === null) return null;
    throw new IdentityRequired(
      'The dataset of this report requires an identity policy. An administrator can set one.',
    );
  }
  if (viewer === null) throw new TypeError('an effective identity requires a viewer');
  const templates = templatesFor(policy, viewer);
  const roles = templates.roles.map((role) => fill(role, viewer));
  if (identityRolesRequired === true && roles.length === 0) {
    throw new IdentityRequired(
      'The identity policy of this dataset requires at least one role. An administrator can add it.',
    );
  }
  return {
    username: fill(templates.username, viewer),
    roles,
    datasets: [pbiDatasetId],
    ...(reportType === 'PaginatedReport' && { reports: [pbiReportId] }),
    ...(templates.custom_data !== null && { customData: fill(templates.custom_data, viewer) }),
  };
}
