import { Injectable } from '@nestjs/common';
import { AuditService } from '../platform/audit/audit.service.js';
import type { Principal } from '../core/http/principal.js';
import type { UpdateWorkspaceDto } from './dto/update-workspace.dto.js';
import { ManagedWorkspacesService } from './managed-workspaces.service.js';
import { Workspace } from './workspace.entity.js';
import type { VisibleWorkspace } from './workspaces.queries.js';
import { WorkspacesService } from './workspaces.service.js';

/** What the managers of a workspace decide; everything else of it comes from Power BI. */
@Injectable()
export class WorkspaceSettingsService {
  constructor(
    private readonly workspaces: WorkspacesService,
    private readonly managed: ManagedWorkspacesService,
    private readonly audit: AuditService,
  ) {}

  /** Throws WorkspaceNotFound or WorkspaceManagerRequired. */
  update(caller: Principal, id: string, changes: UpdateWorkspaceDto): Promise<VisibleWorkspace> {
    return this.managed.edit(caller, id, async (tx) => {
      const before = await this.workspaces.get(caller, id, tx);
      const {
        viewers_can_export: viewersCanExport = before.viewersCanExport,
        contact_url: contactUrl = before.contactUrl,
      } = changes;
      const hasNewRight = viewersCanExport !== before.viewersCanExport;
      const hasNewContact = contactUrl !== before.contactUrl;
      if (!hasNewRight && !hasNewContact) return before;
      await tx.update(Workspace, { id }, { viewersCanExport, contactUrl });
      await this.audit.record(tx, {
        action: 'workspace_changed',
        actorId: caller.id,
        target: { type: 'workspace', id },
        details: {
          ...(hasNewRight && {
            diff: { viewers_can_export: { from: before.viewersCanExport, to: viewersCanExport } },
          }),
          // Not its value, which can be the address of a person.
          ...(hasNewContact && { changed: ['contact_url'] }),
        },
      });
      return { ...before, viewersCanExport, contactUrl };
    });
  }
}
