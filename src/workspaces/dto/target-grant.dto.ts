import { IsIn } from 'class-validator';
import { CountedListQuery } from '../../core/lists/list-query.dto.js';
import { SortedBy, type SortKeys } from '../../core/lists/pagination.js';
import {
  type GrantSource,
  type Holder,
  type NewGrant,
  type ReportRole,
  reportRoles,
  type WorkspaceRole,
} from '../../access/grants/grant.js';
import { IsTime } from '../../core/validation/times.js';
import { OptionalField } from '../../core/validation/validators.js';
import type { NamedGrant } from '../target-grants.queries.js';

export class SetReportGrantDto {
  @IsIn(reportRoles)
  role!: ReportRole;

  /**
   * When the grant expires: `YYYY-MM-DD` in `USAGE_TIME_ZONE` or RFC 3339 with a time zone. A day ends the grant at its end. A
   * grant from a manager expires no later than the manager's own grant. Omitted: the grant does not expire; an earlier expiry
   * is removed.
   */
  @OptionalField()
  @IsTime()
  expires_at?: string;
}

export const grantSortKeys: SortKeys<NamedGrant> = {
  name: { sql: '"nameKey"', of: (grant) => grant.nameKey },
};

export class ListGrantsQuery extends CountedListQuery {
  @SortedBy(grantSortKeys)
  sort: string = 'name';
}

export class HolderDto {
  type!: Holder['type'];
  id!: string;
  /** Name of the person, service account or group. */
  name!: string;
  /** Null for groups and service accounts. */
  email!: string | null;
}

export class GrantorDto {
  id!: string;
  name!: string;
}

/** A right of a person or a group on a workspace or a report. */
export class TargetGrantDto {
  holder!: HolderDto;
  role!: WorkspaceRole;
  /** When the grant expires; null if it does not expire. */
  expires_at!: Date | null;
  source!: GrantSource;
  /** Who granted it; null for a grant of a rule, or if this is not known. */
  granted_by!: GrantorDto | null;
  created_at!: Date;

  static from(grant: NamedGrant): TargetGrantDto {
    const { holderType, holderId, name, email, grantedBy, grantorName } = grant;
    return {
      holder: { type: holderType, id: holderId, name, email },
      role: grant.role,
      expires_at: grant.expiresAt,
      source: grant.source,
      granted_by: grantedBy === null ? null : { id: grantedBy, name: grantorName ?? '' },
      created_at: grant.createdAt,
    };
  }
}

export class TargetGrantListDto {
  grants!: TargetGrantDto[];
}

/** What a request asks to grant. */
export type RequestedGrant = Pick<NewGrant, 'role'> & { expires_at?: string };
