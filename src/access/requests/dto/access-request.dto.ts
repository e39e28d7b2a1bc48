import { OmitType } from '#openapi';
import { IsIn, MaxLength } from 'class-validator';
import { Flag, ListQuery } from '../../../core/lists/list-query.dto.js';
import { SortedBy, type SortKeys } from '../../../core/lists/pagination.js';
import { IsId, IsReadableText, OptionalField } from '../../../core/validation/validators.js';
import type { AccessRequestStatus, ListedAccessRequest } from '../access-requests.queries.js';

export class AccessRequestDto {
  id!: string;
  status!: AccessRequestStatus;
  requester_id!: string;
  /** Null in your own requests. */
  requester_name!: string | null;
  /** Null in your own requests. */
  requester_email!: string | null;
  /** The workspace, also of a report. Null in your own requests for a report. */
  workspace_id!: string | null;
  /** Null in your own requests. */
  workspace_name!: string | null;
  /** Null for a request for a whole workspace. */
  report_id!: string | null;
  /** Null in your own requests. */
  report_name!: string | null;
  reason!: string | null;
  created_at!: Date;
  decided_at!: Date | null;

  static from(request: ListedAccessRequest): AccessRequestDto {
    return {
      id: request.id,
      status: request.status,
      requester_id: request.requesterId,
      requester_name: request.requesterName,
      requester_email: request.requesterEmail,
      workspace_id: request.workspaceId,
      workspace_name: request.workspaceName,
      report_id: request.reportId,
      report_name: request.reportName,
      reason: request.reason,
      created_at: request.createdAt,
      decided_at: request.decidedAt,
    };
  }
}

export class AccessRequestListDto {
  access_requests!: AccessRequestDto[];
}

/** Identical whether or not the target exists. */
export class AcceptedAccessRequestDto {
  status!: 'received';
}

export const accessRequestSortKeys: SortKeys<ListedAccessRequest> = {
  created_at: { sql: 'created_at', of: (request) => request.createdAt.toISOString() },
};

export class ListAccessRequestsQuery extends OmitType(ListQuery, ['q']) {
  @SortedBy(accessRequestSortKeys)
  sort: string = '-created_at';

  /** Returns only requests with this status. */
  @OptionalField()
  @IsIn(['pending', 'approved', 'declined'])
  status?: AccessRequestStatus;

  /** Lists your own requests instead of those that you can decide. */
  @Flag()
  mine: boolean = false;
}

export class CreateAccessRequestDto {
  /** The report. Either `report_id` or `workspace_id` is required. */
  @OptionalField()
  @IsId()
  report_id?: string;

  /** The workspace. */
  @OptionalField()
  @IsId()
  workspace_id?: string;

  /** Shown to those who decide. */
  @OptionalField()
  @IsReadableText()
  @MaxLength(500)
  reason?: string;
}
