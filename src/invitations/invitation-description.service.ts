import { Injectable } from '@nestjs/common';
import { DatabaseService } from '../core/database/database.service.js';
import type { NewGrant } from '../access/grants/grant.js';
import { findReportNames } from '../reports/report-references.queries.js';
import { UsersService } from '../users/users.service.js';
import { WorkspacesService } from '../workspaces/workspaces.service.js';

export interface NamedGrant {
  /** Of the workspace or report. */
  id: string;
  name: string;
  role: NewGrant['role'];
  expiresAt: Date | null;
}

export interface InvitationDescription {
  /** Name of the inviter; null for a service account. */
  inviter: string | null;
  workspaces: NamedGrant[];
  reports: NamedGrant[];
}

/** Names who invites, and to what, for the invitee. */
@Injectable()
export class InvitationDescriptionService {
  constructor(
    private readonly database: DatabaseService,
    private readonly users: UsersService,
    private readonly workspaces: WorkspacesService,
  ) {}

  async describe(inviterId: string, grants: readonly NewGrant[]): Promise<InvitationDescription> {
    const inviter = await this.users.find(inviterId);
    const onWorkspaces = grants.filter(({ reportId }) => reportId === undefined);
    const onReports = grants.filter(({ reportId }) => reportId !== undefined);
    const workspaces = await this.workspaces.findByIds(onWorkspaces.map(({ workspaceId }) => workspaceId));
    const reportIds = onReports.map(({ reportId }) => reportId as string);
    const reports = await findReportNames(this.database.manager, reportIds);
    return {
      inviter: inviter?.kind === 'person' ? inviter.name : null,
      workspaces: named(workspaces, onWorkspaces, ({ workspaceId }) => workspaceId),
      reports: named(reports, onReports, ({ reportId }) => reportId),
    };
  }
}

const named = (
  targets: readonly { id: string; name: string }[],
  grants: readonly NewGrant[],
  idOf: (grant: NewGrant) => string | undefined,
): NamedGrant[] => {
  const byTarget = new Map(grants.map((grant) => [idOf(grant), grant]));
  return targets.map(({ id, name }) => {
    const { role, expiresAt } = byTarget.get(id) as NewGrant;
    return { id, name, role, expiresAt };
  });
};
