import type { Dashboard, Tile } from '../content/model.js';
import type { Emulator } from '../emulator.js';
import { embedBase, embedConfig } from './presenters.js';

type Json = Record<string, unknown>;

/** Where a dashboard was requested: in a workspace, in an app, or in My workspace (neither). */
export interface Place {
  groupId?: string;
  appId?: string;
}

export function dashboardView(emulator: Emulator, place: Place, dashboard: Dashboard): Json {
  const { id, displayName, isReadOnly = place.appId !== undefined } = dashboard;
  const folder = place.groupId
    ? `groups/${place.groupId}`
    : place.appId
      ? `apps/${place.appId}`
      : 'groups/me';
  return {
    id,
    ...(place.appId && { appId: place.appId }),
    displayName,
    isReadOnly,
    webUrl: `https://app.powerbi.com/${folder}/dashboards/${id}`,
    embedUrl: embedUrl(emulator, 'dashboardEmbed', { dashboardId: id, ...place }),
    users: [],
    subscriptions: [],
  };
}

export function tileView(emulator: Emulator, place: Place, dashboard: Dashboard, tile: Tile): Json {
  return {
    id: tile.id,
    title: tile.title,
    rowSpan: tile.rowSpan,
    colSpan: tile.colSpan,
    embedUrl: embedUrl(emulator, 'embed', { dashboardId: dashboard.id, tileId: tile.id, ...place }),
    ...(tile.reportId && { reportId: tile.reportId }),
    ...(tile.datasetId && { datasetId: tile.datasetId }),
  };
}

function embedUrl(emulator: Emulator, page: string, parameters: Record<string, string | undefined>): string {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined);
  const plain = `${embedBase(emulator)}/${page}?${given.map(([name, value]) => `${name}=${value}`).join('&')}`;
  if (emulator.guess('embed_url_config') === 'absent') return plain;
  return `${plain}&w=2&config=${embedConfig(emulator)}`;
}
