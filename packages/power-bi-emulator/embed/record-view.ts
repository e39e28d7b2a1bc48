import { randomUUID } from 'node:crypto';
import type { Activity } from '../core/activity-log.js';
import type { Emulator } from '../emulator.js';
import type { EmbedGrant } from './embed-token.js';

/** Records that an embedded item was opened, by the service principal or user that the token was issued to. */
export function recordView(
  emulator: Emulator,
  activity: string,
  { clientId, upn, tokenId }: EmbedGrant,
  ids: Pick<Activity, 'workspaceId' | 'reportId' | 'dashboardId'>,
): void {
  emulator.activities.record({
    activity,
    clientId,
    ...(upn && { upn }),
    requestId: randomUUID(),
    embedTokenId: tokenId,
    ...ids,
  });
}
