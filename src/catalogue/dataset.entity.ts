import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An effective identity. Templates refer to verified attributes only. */
export interface IdentityTemplates {
  /** Template such as `{{email}}`, `{{id}}` or `{{attributes.employee_id}}`. */
  username: string;
  /** RLS roles. Each is a literal or a template. */
  roles: string[];
  custom_data: string | null;
}

/** Defines the effective identity of a viewer. */
export interface IdentityPolicy extends IdentityTemplates {
  /** The identity of service accounts. Without it a policy that differs by person applies to people only. */
  service_accounts?: IdentityTemplates;
}

@Entity('datasets')
export class Dataset {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid', { name: 'workspace_id' }) workspaceId!: string;
  @Column('text', { name: 'pbi_dataset_id' }) pbiDatasetId!: string;
  @Column('text') name!: string;
  @Column({ type: 'text', name: 'name_key', insert: false, update: false }) nameKey!: string;

  /** Null if Power BI does not report it (the service principal has read access only). */
  @Column('boolean', { name: 'identity_required', nullable: true }) identityRequired!: boolean | null;

  @Column('boolean', { name: 'identity_roles_required', nullable: true })
  identityRolesRequired!: boolean | null;

  @Column('jsonb', { name: 'identity_policy', nullable: true }) identityPolicy!: IdentityPolicy | null;

  /** Incremented with each policy change: an embed token issued under an older version is not reused. */
  @Column('integer', { name: 'policy_version' }) policyVersion!: number;

  @Column('timestamptz', { name: 'missing_since', nullable: true }) missingSince!: Date | null;
  @Column('timestamptz', { name: 'retired_at', nullable: true }) retiredAt!: Date | null;
  @Column('timestamptz', { name: 'updated_at' }) updatedAt!: Date;
}
