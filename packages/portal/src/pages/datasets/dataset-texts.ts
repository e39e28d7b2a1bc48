import { t } from 'i18next';
import type { components } from '../../api/schema.js';
import { msg } from '../../i18n/index.js';

export type Dataset = components['schemas']['DatasetDto'];

interface Words {
  label: string;
  color: string;
}

/** The identity that the dataset requires. */
export function needsOf({ identity_required: required, identity_roles_required: roles }: Dataset): Words {
  if (required === null) return { label: msg('Unknown'), color: 'gray' };
  if (!required) return { label: msg('Nothing'), color: 'gray' };
  return roles === true
    ? { label: msg('User and roles'), color: 'blue' }
    : { label: msg('User'), color: 'blue' };
}

/** Whether the policy meets the requirement. */
export function policyState({ identity_policy: policy, ...dataset }: Dataset): Words {
  const { identity_required: required, identity_roles_required: roles } = dataset;
  if (policy === null) {
    if (required === true) return { label: msg('Missing'), color: 'red' };
    return { label: required === false ? msg('Not required') : msg('None'), color: 'gray' };
  }
  if (required === true && roles === true && policy.roles.length === 0) {
    return { label: msg('Roles missing'), color: 'red' };
  }
  return { label: msg('Set'), color: 'green' };
}

export function explanationOf(dataset: Dataset): string {
  const { identity_required: required, identity_roles_required: roles } = dataset;
  if (required === false) {
    return t('This dataset has no row-level security. A policy has no effect.');
  }
  if (required === null) {
    return t(
      "It's unknown whether this dataset has row-level security, because the service principal has only read access. If you set a policy, an identity is sent to Power BI.",
    );
  }
  return roles === true
    ? t(
        "This dataset has row-level security with roles. Its reports can't be opened without a username and roles.",
      )
    : t("This dataset has row-level security. Its reports can't be opened without a policy.");
}
