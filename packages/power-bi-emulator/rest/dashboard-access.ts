import { sameId } from '../content/content.js';
import { dashboardsOf } from '../content/dashboards.js';
import type { Dashboard, Tile, Workspace } from '../content/model.js';
import type { Emulator } from '../emulator.js';
import { entityNotFound } from './power-bi-error.js';
import { checkGuid } from './rights.js';

export function openDashboard(emulator: Emulator, workspace: Workspace, id: unknown): Dashboard {
  const guid = checkGuid(emulator, id, 'dashboardId');
  const dashboard = dashboardsOf(workspace).find((each) => sameId(each.id, guid));
  if (!dashboard) throw entityNotFound(emulator);
  return dashboard;
}

export function openTile(emulator: Emulator, dashboard: Dashboard, id: unknown): Tile {
  const guid = checkGuid(emulator, id, 'tileId');
  const tile = dashboard.tiles.find((each) => sameId(each.id, guid));
  if (!tile) throw entityNotFound(emulator);
  return tile;
}
