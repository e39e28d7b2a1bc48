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
