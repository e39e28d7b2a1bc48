import { Injectable } from '@nestjs/common';
import { Clock } from '../core/clock.js';
import { execute } from '../core/database/execute.js';
import { EndedRightsService } from '../groups/ended-rights.service.js';
import { activeGrantsOfGroup } from './grants.queries.js';
import type { GrantSource } from './roles.js';

interface EndedGrant {
  workspaceId: string;
  reportId: string | null;
  source: GrantSource;
}

/** The active grants that end when a group is deleted. */
@Injectable()
export class EndedGrantsService {
  constructor(rights: EndedRightsService, clock: Clock) {
    rights.register(async (tx, group) => {
      const { rows } = await execute<EndedGrant>(
        tx,
        activeGrantsOfGroup('$1', '$2'),
        [group, clock.now()],
      );
      return rows.map(({ workspaceId, reportId, source }) => ({
        action: 'grant_removed',
        target: { type: 'group', id: group },
        details: {
          ...(source !== 'manual' && { source }),
          workspace_id: workspaceId,
          ...(reportId !== null && { report_id: reportId }),
        },
      }));
    });
  }
}
