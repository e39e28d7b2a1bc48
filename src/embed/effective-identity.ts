import type { IdentityPolicy } from '../catalogue/dataset.entity.js';
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
        `The identity policy requires the user attribute "${attribute}". An admin can set it.`,
      );
    }
    return value;
  });
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
      'The dataset of this report requires an identity policy. An admin can set one.',
    );
  }
  if (viewer === null) throw new TypeError('an effective identity requires a viewer');
  const roles = policy.roles.map((role) => fill(role, viewer));
  if (identityRolesRequired === true && roles.length === 0) {
    throw new IdentityRequired(
      'The identity policy of this dataset requires at least one role. An admin can add it.',
    );
  }
  return {
    username: fill(policy.username, viewer),
    roles,
    datasets: [pbiDatasetId],
    ...(reportType === 'PaginatedReport' && { reports: [pbiReportId] }),
    ...(policy.custom_data !== null && { customData: fill(policy.custom_data, viewer) }),
  };
}
