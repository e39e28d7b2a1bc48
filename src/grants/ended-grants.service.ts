import { Injectable } from '@nestjs/common';
import { Clock } from '../core/clock.js';
import { execute } from '../core/database/execute.js';
import { EndedRightsService } from '../groups/ended-rights.service.js';
import { activeGrantsHeldBy } from './grants.queries.js';
import type { GrantSource } from './roles.js';

interface EndedGrant {
  workspaceId: string;
  reportId: string | null;
  source: GrantSource;
}

/** The active grants that end when a group or a service account is deleted. */
@Injectable()
export class EndedGrantsService {
  constructor(rights: EndedRightsService, clock: Clock) {
    rights.register(async (tx, holder) => {
      const { rows } = await execute<EndedGrant>(tx, activeGrantsHeldBy(holder, '$1', '$2'), [
        holder.id,
        clock.now(),
      ]);
      return rows.map(({ workspaceId, reportId, source }) => ({
        action: 'grant_removed',
        target: holder,
        details: {
          ...(source !== 'manual' && { source }),
          workspace_id: workspaceId,
          ...(reportId !== null && { report_id: reportId }),
        },
      }));
    });
  }
}
