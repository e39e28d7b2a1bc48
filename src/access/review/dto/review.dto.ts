import { IsId, OptionalField } from '../../../core/validation/validators.js';
import type { GrantSource, WorkspaceRole } from '../../grants/grant.js';
import type { ReviewRow } from '../access-review.queries.js';

export class ReviewQueryDto {
  /** Only access to this workspace and its reports. */
  @OptionalField()
  @IsId()
  workspace_id?: string;

  /** Only access to this report, also through its workspace. */
  @OptionalField()
  @IsId()
  report_id?: string;

  /** Only access of the people in this group through it: by its own grants, and by those of the groups that contain it. */
  @OptionalField()
  @IsId()
  group_id?: string;

  /** Only access of this person or service account. */
  @OptionalField()
  @IsId()
  user_id?: string;
}

export class ReviewedUserDto {
  id!: string;
  name!: string;
  /** Null for a service account. */
  email!: string | null;
  status!: 'active' | 'disabled';
}

export class ReviewedResourceDto {
  /** `everything` for admins, who see all reports without a grant. */
  type!: 'workspace' | 'report' | 'everything';
  id!: string | null;
  name!: string | null;
  workspace_id!: string | null;
  workspace_name!: string | null;
}

export class ReviewGrantorDto {
  id!: string;
  name!: string | null;
}

/** One grant of one person: the line that a reviewer confirms or removes. */
export class ReviewRowDto {
  user!: ReviewedUserDto;
  resource!: ReviewedResourceDto;
  role!: WorkspaceRole | 'admin';
  /** Names of the groups from the one that holds the grant to the one that contains the person; empty for their own. */
  path!: string[];
  /** The group that holds the grant; null for a grant of the person. */
  group_id!: string | null;
  /** Null for admins. */
  source!: GrantSource | null;
  granted_by!: ReviewGrantorDto | null;
  /** Whether the manager who granted it had this right only through a group, or from a rule or SCIM. */
  granted_by_derived_right!: boolean;
  granted_at!: Date | null;
  expires_at!: Date | null;
  /** When the person last received an embed token for this resource; null if never, or if its record has expired. */
  last_token_at!: Date | null;

  static from(row: ReviewRow, path: string[]): ReviewRowDto {
    const type = row.report_id !== null ? 'report' : row.workspace_id !== null ? 'workspace' : 'everything';
    return {
      user: { id: row.user_id, name: row.user_name, email: row.user_email, status: row.user_status },
      resource: {
        type,
        id: row.report_id ?? row.workspace_id,
        name: row.report_name ?? row.workspace_name,
        workspace_id: row.workspace_id,
        workspace_name: row.workspace_name,
      },
      role: row.role,
      path,
      group_id: row.group_id,
      source: row.source,
      granted_by: row.granted_by === null ? null : { id: row.granted_by, name: row.granted_by_name },
      granted_by_derived_right: row.by_derived_right === true,
      granted_at: row.granted_at,
      expires_at: row.expires_at,
      last_token_at: row.last_token_at,
    };
  }
}
