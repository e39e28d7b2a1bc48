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
