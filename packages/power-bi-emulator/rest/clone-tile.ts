import { randomUUID } from 'node:crypto';
import type { Placed } from '../content/content.js';
import type { Dashboard, Tile, Workspace } from '../content/model.js';
import type { Emulator } from '../emulator.js';
import type { Principal } from './bearer.js';
import { openDashboard } from './dashboard-access.js';
import { myWorkspace } from './my-workspace.js';
import { coded, entityNotFound, invalidRequest } from './power-bi-error.js';
import { checkGuid, checkRight, isVisible, openWorkspace } from './rights.js';

const emptyGuid = '00000000-0000-0000-0000-000000000000';

export interface PlacedTile {
  workspace: Workspace;
  dashboard: Dashboard;
  tile: Tile;
}

/**
 * Copies a tile to another dashboard. In another workspace its report and dataset are those of the request; without
 * them the copy is broken. Throws PowerBiError.
 */
export function cloneTile(
  emulator: Emulator,
  principal: Principal,
  source: PlacedTile,
  body: Record<string, unknown>,
): PlacedTile {
  const workspace = targetOf(emulator, principal, source.workspace, body.targetWorkspaceId);
  const dashboard = openDashboard(emulator, workspace, body.targetDashboardId);
  const bound = bindings(emulator, principal, source, workspace, body);
  const { reportId: _report, datasetId: _dataset, ...rest } = source.tile;
  const tile = { ...rest, ...bound, id: randomUUID() };
  const position = source.dashboard.tiles.indexOf(source.tile);
  checkPosition(emulator, dashboard.tiles[position] !== undefined, body.positionConflictAction);
  dashboard.tiles.push(tile);
  workspace.modified = emulator.clock.now().getTime();
  return { workspace, dashboard, tile };
}

function targetOf(emulator: Emulator, principal: Principal, own: Workspace, id: unknown): Workspace {
  if (id === emptyGuid) return myWorkspace(emulator, principal);
  const workspace = id === undefined || id === null ? own : openWorkspace(emulator, principal, id);
  if (workspace.type === 'Workspace') {
    checkRight(emulator, workspace, principal, emulator.guess('dashboard_right'));
  }
  return workspace;
}

function bindings(
  emulator: Emulator,
  principal: Principal,
  { workspace: from, tile }: PlacedTile,
  to: Workspace,
  { targetReportId, targetModelId }: Record<string, unknown>,
): Pick<Tile, 'reportId' | 'datasetId'> {
  const { content } = emulator;
  const own: Partial<Tile> = from === to && !targetReportId && !targetModelId ? tile : {};
  const reportId = targetReportId
    ? visible(content.findReport(checkGuid(emulator, targetReportId, 'targetReportId')))
    : own.reportId;
  const datasetId = targetModelId
    ? visible(content.findDataset(checkGuid(emulator, targetModelId, 'targetModelId')))
    : own.datasetId;
  return { ...(reportId && { reportId }), ...(datasetId && { datasetId }) };

  function visible(found: Placed<{ id: string }> | undefined): string {
    if (!found || !isVisible(emulator, found.workspace, principal)) throw entityNotFound(emulator);
    return found.item.id;
  }
}

/** The copy keeps the position of its source, or with `Tail`, the default, is added at the end. */
function checkPosition(emulator: Emulator, isTaken: boolean, action: unknown): void {
  if (action !== undefined && action !== 'Tail' && action !== 'Abort') {
    throw invalidRequest('Parameter positionConflictAction is missing or invalid');
  }
  if (!isTaken || action !== 'Abort') return;
  const status = Number(emulator.guess('tile_position_conflict'));
  throw coded(status, 'InvalidRequest', 'The position of the tile is taken');
}
