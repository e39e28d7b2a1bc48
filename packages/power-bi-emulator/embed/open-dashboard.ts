import { sameId, type Placed } from '../content/content.js';
import { datasetsBehind, findDashboard } from '../content/dashboards.js';
import type { Dashboard, Dataset, Tile } from '../content/model.js';
import type { Emulator } from '../emulator.js';
import { reportEmbedUrl } from '../rest/presenters.js';
import { themes } from './demo-data.js';
import { EmbedError, embedErrors } from './embed-error.js';
import type { EmbedGrant } from './embed-token.js';
import { checkToken, guid, rowsFor, type LoadRequest } from './open-report.js';
import { recordView } from './record-view.js';
import { identityFor } from './row-security.js';

/** The fields of `/dashboard/load` and `/tile/load` that the server reads. */
export interface DashboardRequest extends LoadRequest {
  dashboardId?: unknown;
  /** Set for a single tile. */
  tileId?: unknown;
}

/** The tiles that the token grants access to, and the rows visible to its identities. Throws EmbedError. */
export async function openDashboard(emulator: Emulator, request: DashboardRequest): Promise<object> {
  const { grant, secondsLeft } = await checkToken(emulator, request.accessToken, request.tokenType);
  const { item: dashboard, workspace, tiles } = find(emulator, request, grant);
  if (emulator.content.findCapacity(workspace.capacityId)?.state === 'Suspended') {
    throw embedErrors.capacityPaused();
  }
  const datasets = datasetsBehind(emulator.content, tiles).map((each) => dataOf(each, grant));
  const view = request.tileId === undefined ? 'ViewDashboard' : 'ViewTile';
  recordView(emulator, view, grant, { workspaceId: workspace.id, dashboardId: dashboard.id });
  return {
    dashboard: { id: dashboard.id, name: dashboard.displayName },
    workspace: workspace.name,
    tiles: tiles.map((tile) => tileData(emulator, tile)),
    datasets: Object.fromEntries(datasets.map((each) => [each.id, each])),
    identities: grant.identities.map(({ username, roles = [] }) => ({ username, roles })),
    expires_in: secondsLeft,
    reload_after_expiry: emulator.guess('renewal_after_expiry') === 'reload_needed',
  };
}

/** Checks that a token is valid for a dashboard or tile and returns its remaining seconds. Throws EmbedError. */
export async function checkDashboard(
  emulator: Emulator,
  request: DashboardRequest,
): Promise<{ expires_in: number }> {
  const { grant, secondsLeft } = await checkToken(emulator, request.accessToken, request.tokenType);
  find(emulator, request, grant);
  return { expires_in: secondsLeft };
}

function find(
  emulator: Emulator,
  { dashboardId: id, tileId, groupId }: DashboardRequest,
  grant: EmbedGrant,
): Placed<Dashboard> & { tiles: Tile[] } {
  const dashboardId = checkedId(emulator, id);
  const wanted = tileId === undefined ? undefined : checkedId(emulator, tileId);
  const found = findDashboard(emulator.content, dashboardId);
  const tiles = found?.item.tiles.filter((each) => wanted === undefined || sameId(each.id, wanted));
  if (!found || !tiles || (wanted !== undefined && tiles.length === 0)) throw failed(emulator, '404');
  const granted = wanted === undefined ? grant.dashboards : grant.tiles;
  if (!granted?.some((each) => sameId(each, wanted ?? dashboardId))) throw failed(emulator, '403');
  if (typeof groupId === 'string' && !sameId(groupId, found.workspace.id)) throw embedErrors.wrongGroup();
  return { ...found, tiles };
}

function checkedId(emulator: Emulator, id: unknown): string {
  if (typeof id !== 'string' || id === '') throw embedErrors.nothingGiven();
  if (!guid.test(id)) throw failed(emulator, '500');
  return id;
}

function failed(emulator: Emulator, errorCode: string): EmbedError {
  const message = emulator.guess('dashboard_load_error');
  const item = message === 'LoadReportFailed' ? 'report' : 'dashboard';
  return new EmbedError(message, `Get ${item} failed`, errorCode);
}

function dataOf(dataset: Dataset, grant: EmbedGrant) {
  const rows = rowsFor(dataset, identityFor(dataset, grant));
  return { id: dataset.id, name: dataset.name, theme: themes[dataset.data ?? 'sales'], rows };
}

function tileData(emulator: Emulator, { id, title, rowSpan, colSpan, visual, reportId, datasetId }: Tile) {
  const report = reportId ? emulator.content.findReport(reportId) : undefined;
  const detailed = report && emulator.guess('tile_clicked_detail') === 'with_report';
  return {
    id,
    title,
    rowSpan,
    colSpan,
    visual: visual ?? 'by-category',
    datasetId,
    clicked: {
      tileId: id,
      ...(detailed && {
        navigationUrl: `https://app.powerbi.com/groups/${report.workspace.id}/reports/${report.item.id}`,
        pageName: report.item.pages[0]?.name,
        reportEmbedUrl: reportEmbedUrl(emulator, report.workspace, report.item),
      }),
    },
  };
}
