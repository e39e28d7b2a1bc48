import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Who a viewer is inside the data. Templates refer to verified attributes only. */
export interface IdentityPolicy {
  /** Template such as `{{email}}`, `{{id}}` or `{{attributes.employee_id}}`. */
  username: string;
  /** RLS roles, each fixed or a template. */
  roles: string[];
  custom_data: string | null;
}

@Entity('datasets')
export class Dataset {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'workspace_id' })
  workspaceId!: string;

  @Column('text', { name: 'pbi_dataset_id' })
  pbiDatasetId!: string;

  @Column('text')
  name!: string;

  @Column({ type: 'text', name: 'name_key', insert: false, update: false })
  nameKey!: string;

  /** Null: Power BI did not say (the service principal may only read the dataset). */
  @Column('boolean', { name: 'identity_required', nullable: true })
  identityRequired!: boolean | null;

  @Column('boolean', { name: 'identity_roles_required', nullable: true })
  identityRolesRequired!: boolean | null;

  @Column('jsonb', { name: 'identity_policy', nullable: true })
  identityPolicy!: IdentityPolicy | null;

  /** Moves with the policy: an embed token made under an older one is not used again. */
  @Column('integer', { name: 'policy_version' })
  policyVersion!: number;

  @Column('timestamptz', { name: 'missing_since', nullable: true })
  missingSince!: Date | null;

  @Column('timestamptz', { name: 'retired_at', nullable: true })
  retiredAt!: Date | null;

  @Column('timestamptz', { name: 'updated_at' })
  updatedAt!: Date;
}
