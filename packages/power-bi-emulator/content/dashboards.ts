import { sameId, type Content, type Placed } from './content.js';
import { idOf } from './ids.js';
import type { Dashboard, Dataset, Tile, Workspace } from './model.js';

/** A dashboard of a seed: missing ids and titles are derived from the position. */
export type LooseDashboard = Partial<Omit<Dashboard, 'tiles'>> & { tiles?: Partial<Tile>[] };

const tilesPerDashboard = 0x1000;

export function dashboardsFrom(loose: LooseDashboard[], workspaceNumber: number): Dashboard[] {
  return loose.map((each, index) => ({
    id: idOf('dashboard', workspaceNumber, index + 1),
    displayName: `Dashboard ${index + 1}`,
    ...each,
    tiles: (each.tiles ?? []).map((tile, at) => tileFrom(tile, workspaceNumber, index + 1, at + 1)),
  }));
}

function tileFrom(loose: Partial<Tile>, workspaceNumber: number, dashboard: number, number: number): Tile {
  return {
    id: idOf('tile', workspaceNumber, dashboard * tilesPerDashboard + number),
    title: `Tile ${number}`,
    rowSpan: 0,
    colSpan: 0,
    ...loose,
  };
}

export function dashboardsOf({ dashboards = [] }: Workspace): Dashboard[] {
  return dashboards;
}

export function findDashboard({ workspaces }: Content, id: string): Placed<Dashboard> | undefined {
  for (const workspace of workspaces) {
    const item = dashboardsOf(workspace).find((each) => sameId(each.id, id));
    if (item) return { item, workspace };
  }
  return undefined;
}

/** The datasets that the tiles query, each once. */
export function datasetsBehind(content: Content, tiles: Tile[]): Dataset[] {
  const found = tiles.map(({ datasetId }) => (datasetId ? content.findDataset(datasetId)?.item : undefined));
  return [...new Set(found.filter((each) => each !== undefined))];
}
