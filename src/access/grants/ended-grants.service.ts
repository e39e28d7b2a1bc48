import { Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock.js';
import { EndedRightsService } from '../groups/ended-rights.service.js';
import { findActiveGrants } from './stored-grants.queries.js';

/** The active grants that end when a group or a service account is deleted. */
@Injectable()
export class EndedGrantsService {
  constructor(rights: EndedRightsService, clock: Clock) {
    rights.register(async (tx, holder) => {
      const grants = await findActiveGrants(tx, holder, clock.now());
      return grants.map(({ workspaceId, reportId, source }) => ({
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
