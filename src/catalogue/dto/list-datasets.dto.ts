import { IsIn } from 'class-validator';
import { ListQuery } from '../../core/lists/list-query.dto.js';
import { type SortKeys, sortNames } from '../../core/lists/pagination.js';
import { IsId, OptionalField } from '../../core/validation/validators.js';
import type { Dataset } from '../dataset.entity.js';

export const datasetSortKeys: SortKeys<Dataset> = {
  name: { sql: 'dataset.nameKey', of: (dataset) => dataset.nameKey },
};

const lacksRoles = `dataset.identityRolesRequired AND dataset.identityPolicy -> 'roles' = '[]'`;

export const policyFilters = {
  missing: `dataset.identityRequired AND (dataset.identityPolicy IS NULL OR (${lacksRoles}))`,
  set: 'dataset.identityPolicy IS NOT NULL',
};

export type PolicyFilter = keyof typeof policyFilters;

export class ListDatasetsQuery extends ListQuery {
  /** Sort order. Prefix the field with `-` for descending order. */
  @OptionalField()
  @IsIn(sortNames(datasetSortKeys))
  sort: string = 'name';

  /** Returns only datasets of this workspace. */
  @OptionalField()
  @IsId()
  workspace_id?: string;

  /**
   * `missing` returns only datasets whose reports cannot be embedded until a policy, or roles in it, are set. `set`
   * returns only datasets with a policy.
   */
  @OptionalField()
  @IsIn(Object.keys(policyFilters))
  policy?: PolicyFilter;
}
