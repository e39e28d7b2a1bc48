import { IsIn } from 'class-validator';
import { ListQuery } from '../../core/lists/list-query.dto.js';
import { SortedBy, type SortKeys } from '../../core/lists/pagination.js';
import { IsId, OptionalField } from '../../core/validation/validators.js';
import type { Dataset } from '../dataset.entity.js';

export class DatasetIdentityDto {
  username!: string;
  roles!: string[];
  custom_data!: string | null;
}

export class DatasetPolicyDto extends DatasetIdentityDto {
  /** The identity of service accounts, if the policy has one. */
  service_accounts?: DatasetIdentityDto;
}

export class DatasetDto {
  id!: string;
  name!: string;
  workspace_id!: string;
  pbi_dataset_id!: string;
  /** Whether an embed token must specify an effective identity; null if Power BI does not report it. */
  identity_required!: boolean | null;
  /** Whether the effective identity must include roles; null if Power BI does not report it. */
  identity_roles_required!: boolean | null;
  identity_policy!: DatasetPolicyDto | null;

  static from(dataset: Dataset): DatasetDto {
    return {
      id: dataset.id,
      name: dataset.name,
      workspace_id: dataset.workspaceId,
      pbi_dataset_id: dataset.pbiDatasetId,
      identity_required: dataset.identityRequired,
      identity_roles_required: dataset.identityRolesRequired,
      identity_policy: dataset.identityPolicy,
    };
  }
}

export class DatasetListDto {
  datasets!: DatasetDto[];
}

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
  @SortedBy(datasetSortKeys)
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
