import type { components } from '../../api/schema.js';

export type Dataset = components['schemas']['DatasetDto'];

interface Words {
  label: string;
  color: string;
}

/** What the data asks for. */
export function needsOf({ identity_required: required, identity_roles_required: roles }: Dataset): Words {
  if (required === null) return { label: 'Not known', color: 'gray' };
  if (!required) return { label: 'Nothing', color: 'gray' };
  return roles === true
    ? { label: 'Identity and roles', color: 'blue' }
    : { label: 'Identity', color: 'blue' };
}

/** Whether it gets what it asks for. */
export function policyState({ identity_policy: policy, ...dataset }: Dataset): Words {
  const { identity_required: required, identity_roles_required: roles } = dataset;
  if (policy === null) {
    if (required === true) return { label: 'Missing', color: 'red' };
    return { label: required === false ? 'Not needed' : 'None', color: 'gray' };
  }
  if (required === true && roles === true && policy.roles.length === 0) {
    return { label: 'Without roles', color: 'red' };
  }
  return { label: 'Set', color: 'green' };
}

export function explanationOf(dataset: Dataset): string {
  const { identity_required: required, identity_roles_required: roles } = dataset;
  if (required === false) {
    return 'This dataset does not ask who is looking. A policy would have no effect.';
  }
  if (required === null) {
    return 'Power BI did not say whether this dataset asks who is looking: the service principal may only read it. With a policy an identity is sent, without one none is.';
  }
  const asked = roles === true ? 'who is looking, and in which roles' : 'who is looking';
  return `This dataset asks ${asked}. Without ${roles === true ? 'both' : 'a policy'} no report on it opens.`;
}
