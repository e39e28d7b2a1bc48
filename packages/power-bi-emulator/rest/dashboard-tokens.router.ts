import { Router, type Request, type RequestHandler, type Response } from 'express';
import { sameId } from '../content/content.js';
import { datasetsBehind } from '../content/dashboards.js';
import type { Dashboard, Dataset, Tile } from '../content/model.js';
import { principalOf } from '../core/locals.js';
import type { EffectiveIdentity } from '../embed/embed-token.js';
import type { Emulator } from '../emulator.js';
import { openDashboard, openTile } from './dashboard-access.js';
import { checkIdentityOf, readIdentities } from './effective-identity.js';
import { checkMayEmbed, expiryOf, issue, spendQuota } from './generate-token.js';
import { levelOf } from './generate-token-v1.js';
import { jsonBody } from './json-body.js';
import { invalidRequest } from './power-bi-error.js';
import { openWorkspace } from './rights.js';

/** The V1 calls for a dashboard and for one tile. Unlike for reports, they accept an identity for each dataset. */
export function dashboardTokensRouter(emulator: Emulator): Router {
  const router = Router();
  const dashboard = '/groups/:group/dashboards/:dashboard';
  router.post(`${dashboard}/GenerateToken`, issuing(emulator));
  router.post(`${dashboard}/tiles/:tile/GenerateToken`, issuing(emulator));
  return router;
}

function issuing(emulator: Emulator): RequestHandler {
  return async (request, response) => {
    const principal = principalOf(response);
    const { workspace, dashboard, tile } = locate(emulator, request, response);
    const body = jsonBody(emulator, request);
    const access = levelOf(body);
    const datasets = datasetsBehind(emulator.content, tile ? [tile] : dashboard.tiles);
    const identities = identitiesFor(datasets, body.identities);
    const expires = expiryOf(emulator, principal, body.lifetimeInMinutes);
    checkMayEmbed(emulator, principal, workspace);
    for (const dataset of datasets) checkIdentityOf(emulator, principal, dataset, identities);
    spendQuota(emulator, [workspace]);
    const grant = {
      reports: [],
      datasets: datasets.map(({ id }) => id),
      ...(tile ? { tiles: [tile.id] } : { dashboards: [dashboard.id] }),
      targetWorkspaces: [],
      identities,
      access,
    };
    response.json(await issue(emulator, principal, grant, expires));
  };
}

function locate(emulator: Emulator, request: Request, response: Response) {
  const workspace = openWorkspace(emulator, principalOf(response), request.params.group);
  const dashboard: Dashboard = openDashboard(emulator, workspace, request.params.dashboard);
  const { tile: id } = request.params;
  const tile: Tile | undefined = id === undefined ? undefined : openTile(emulator, dashboard, id);
  return { workspace, dashboard, tile };
}

/** Every identity must name a dataset that a tile queries. Throws PowerBiError. */
function identitiesFor(datasets: Dataset[], value: unknown): EffectiveIdentity[] {
  const identities = readIdentities(value);
  const isOurs = (id: string) => datasets.some((each) => sameId(each.id, id));
  if (identities.every((each) => each.datasets?.some(isOurs))) return identities;
  throw invalidRequest('DatasetId is required for any EffectiveIdentity');
}
